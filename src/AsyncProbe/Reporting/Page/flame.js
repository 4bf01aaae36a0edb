import { find, make, setAttribute, setHidden, setText } from './dom.js';
import { milliseconds, percent, place } from './words.js';

// Narrower boxes are too small to click; the table shows them.
const leastShare = 0.002;
const every = 5000;

const address = new URL('profile?format=tree', import.meta.url).href;
const section = find('flame');
const graph = find('flame-graph');
const table = find('flame-table');

const told = find('flame-told');

let root = null;
let shown = null;
let pointed = null;
let askedAt = 0;

export function start() {
  section.querySelector('details').addEventListener('toggle', update);
  find('flame-as-table').addEventListener('click', showAsTable);
  find('flame-all').addEventListener('click', () => zoom(root));
  graph.addEventListener('keydown', move);
  graph.addEventListener('focusin', () => point(null));
  graph.addEventListener('pointerover', e => point(e.target.frame ?? null));
  graph.addEventListener('pointerleave', () => point(null));
}

/** Loads the profile, but only while the section is open, so a closed one costs nothing. */
export async function update() {
  if (!section.querySelector('details').open || Date.now() - askedAt < every) return;
  askedAt = Date.now();
  try {
    const response = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(10000) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    draw(await response.json());
  } catch (error) {
    console.debug('AsyncProbe: no profile', error);
  }
}

function draw(tree) {
  const [at, over, focused] = [shown, pointed, focusedNode()].map(node => node && pathOf(node));
  root = grow(tree);
  [shown, pointed] = [reach(at) ?? root, reach(over)];
  const isEmpty = root.children.length === 0;
  setHidden(find('no-flame'), !isEmpty);
  setHidden(find('flame-parts'), isEmpty);
  setText(find('flame-cut'), tree.cutMs > 0 ? `${milliseconds(tree.cutMs)} of it lie deeper than the graph goes (option MaxStackNodes).` : '');
  // While the focus is elsewhere on the page, a screen reader must not announce the new figures every few seconds.
  setAttribute(told, 'aria-live', focused ? 'polite' : 'off');
  render(reach(focused));
}

function grow({ nodes, blockedMs }) {
  const all = { name: 'all call sites', blockedMs, children: [], own: false };
  const grown = nodes.map(n => ({ ...n, children: [] }));
  grown.forEach((node, i) => {
    node.caller = nodes[i].parent === undefined ? all : grown[nodes[i].parent];
    node.caller.children.push(node);
  });
  [all, ...grown].forEach(node => node.children.sort((a, b) => b.blockedMs - a.blockedMs));
  return all;
}

const nameOf = node => place({ ...node, at: node.name });
const callers = node => node.caller ? [...callers(node.caller), node.caller] : [];
const focusedNode = () => (graph.contains(document.activeElement) && document.activeElement.frame) || null;
const reach = path => path?.reduce((at, name) => at && at.children.find(c => nameOf(c) === name), root) ?? null;
const pathOf = node => [...callers(node).slice(1), node].filter(n => n !== root).map(nameOf);
const sentence = node => `${nameOf(node)}: ${milliseconds(node.blockedMs)}, ${percent(node.blockedMs / (root.blockedMs || 1) * 100)} of the blocked time at call sites`;

function point(node) {
  pointed = node;
  describe();
}

// Describes the box under the pointer, else the focused box, else what the graph shows. A redraw keeps the box and updates its figures.
function describe() {
  const node = pointed ?? focusedNode() ?? shown;
  if (node) setText(told, sentence(node));
}

function zoom(node) {
  [shown, pointed] = [node, null];
  setAttribute(told, 'aria-live', 'polite');
  render(focusedNode() && node);
}

const boxOf = node => [...graph.children].find(box => box.frame === node);

// The shown frame's callers are drawn above it at full width.
function render(focused) {
  const boxes = callers(shown).map((node, depth) => box(node, depth, 0, 1));
  add(shown, boxes.length, 0, 1, boxes);
  graph.style.height = `${Math.max(...boxes.map(b => b.depth)) + 1}lh`;
  const over = pointed;
  graph.replaceChildren(...boxes);
  setAttribute(boxOf(shown), 'tabindex', 0);
  if (focused) boxOf(focused)?.focus();
  setHidden(find('flame-all'), shown === root);
  point(over);
  if (!table.hidden) renderTable();
}

function add(node, depth, left, width, boxes) {
  boxes.push(box(node, depth, left, width));
  for (const child of node.children) {
    const share = child.blockedMs / (shown.blockedMs || 1);
    if (share >= leastShare) add(child, depth + 1, left, share, boxes);
    left += share;
  }
}

function box(node, depth, left, width) {
  const element = make('button', { type: 'button', tabindex: -1, class: node.own ? 'own' : '', 'aria-label': sentence(node), onclick: () => zoom(node) }, nameOf(node));
  [element.frame, element.depth] = [node, depth];
  element.style.cssText = `left: ${left * 100}%; width: ${width * 100}%; top: ${depth}lh`;
  return element;
}

// The arrow keys move down to the callee that blocks longest, up to the caller, and sideways to the caller's other callees.
function move(event) {
  const node = event.target.frame;
  if (!node) return;
  if (event.key === 'Escape') zoom(root);
  else {
    const siblings = node.caller?.children ?? [node];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step ? siblings[siblings.indexOf(node) + step] : { ArrowDown: node.children[0], ArrowUp: node.caller, Home: root }[event.key];
    if (!next) return;
    boxOf(next)?.focus();
  }
  event.preventDefault();
}

function showAsTable() {
  const isTable = table.hidden;
  setHidden(table, !isTable);
  setHidden(graph, isTable);
  setAttribute(find('flame-as-table'), 'aria-pressed', isTable);
  if (isTable) renderTable();
}

function renderTable() {
  const rows = [];
  const list = (node, depth) => {
    const frame = make('td', { class: node.own ? 'own' : '' }, nameOf(node));
    frame.style.paddingLeft = `${8 + depth * 10}px`;
    rows.push(make('tr', {}, frame,
      make('td', { class: 'number', 'data-label': 'Blocked, total' }, milliseconds(node.blockedMs)),
      make('td', { class: 'number', 'data-label': 'Share' }, percent(node.blockedMs / (root.blockedMs || 1) * 100))));
    node.children.forEach(child => list(child, depth + 1));
  };
  list(shown, 0);
  table.tBodies[0].replaceChildren(...rows);
}
