// All content reaches the document through here, as text, because the names of routes and methods are data and never markup.

export const find = id => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'class') element.className = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Writing the same text again would restart a screen reader and clear a selection.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

export function setHidden(element, isHidden) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

// Makes a list's items from data. Doesn't touch the list while the data stays the same.
export function fill(list, items, key, create) {
  const signature = JSON.stringify(items.map(key));
  if (list.dataset.signature === signature) return;
  list.dataset.signature = signature;
  list.replaceChildren(...items.map(create));
}
