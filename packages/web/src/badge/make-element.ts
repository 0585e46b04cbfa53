/** Makes an element. The browser does not parse its texts as HTML. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  members: Partial<Omit<HTMLElementTagNameMap[Name], 'hidden'>> & { hidden?: boolean },
  children: (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), members);
  element.append(...children);
  return element;
}

export function makeSvg(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: Node[] = [],
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name) as SVGElement;
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}
