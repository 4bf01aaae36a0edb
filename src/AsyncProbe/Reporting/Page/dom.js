// Everything that reaches the document goes through here, as text: names of routes and methods are data, never markup.

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

// Writing the same text again would make a screen reader start over and a selection vanish.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

export function setHidden(element, isHidden) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

// Makes a list's items from data, and leaves the list alone while the data is the same.
export function fill(list, items, key, create) {
  const signature = JSON.stringify(items.map(key));
  if (list.dataset.signature === signature) return;
  list.dataset.signature = signature;
  list.replaceChildren(...items.map(create));
}
