// Elements of a page. Texts are set as text, never as HTML.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

// A canvas of the size of its box, sharp on any screen; its pen draws in CSS pixels.
export function sizedPen(canvas) {
  const dots = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * dots) || canvas.height !== Math.round(height * dots)) {
    [canvas.width, canvas.height] = [Math.round(width * dots), Math.round(height * dots)];
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(dots, 0, 0, dots, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

const NUMBER = new Intl.NumberFormat("en-US");
export const count = (number) => NUMBER.format(number);
export const peopleCount = (number) => `${count(number)} ${number === 1 ? "person" : "people"}`;
export const placeCount = (number) => `${count(number)} ${number === 1 ? "place" : "places"}`;

export function isDark(color) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.fillStyle = "#ffffff";
  pen.fillStyle = color.trim(); // the canvas returns any CSS color as #rrggbb
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(pen.fillStyle.slice(start, start + 2), 16));
  return red + green + blue < 384;
}
