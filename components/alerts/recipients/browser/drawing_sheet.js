// Draws the map that drawing_sheet.py sends, and reports the outline of an area that the user draws on it freehand.

const made = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// The world is a square of side 1: deck.gl's web Mercator, 512 pixels wide at zoom 0.
const TILE = 512;
const across = (lon) => lon / 360 + 0.5;
const down = (lat) => 0.5 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI);
const longitude = (x) => (x - 0.5) * 360;
const latitude = (y) => (Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) * 360) / Math.PI - 90;
const round = (degrees) => Math.round(degrees * 1e4) / 1e4;
const [CLOSEST, FARTHEST, STEP_PX, TINY_PX] = [13, 2, 5, 12];

const traced = (path, points, closed) => {
  points.forEach(([lon, lat], at) => path[at ? "lineTo" : "moveTo"](across(lon), down(lat)));
  if (closed) path.closePath();
};
const pathOf = ({ type, coordinates }) => {
  const path = new Path2D();
  if (type === "Polygon") coordinates.forEach((ring) => traced(path, ring, true));
  if (type === "MultiPolygon") coordinates.flat().forEach((ring) => traced(path, ring, true));
  if (type === "MultiLineString") coordinates.forEach((line) => traced(path, line, false));
  return path;
};

let counties; // loaded once per page
const readCounties = (url) =>
  (counties ??= fetch(url)
    .then((answer) => answer.json())
    .then(({ features }) => {
      const areas = new Map(features.slice(0, -1).map((each) => [each.id, pathOf(each.geometry)]));
      const land = new Path2D();
      areas.forEach((path) => land.addPath(path));
      return { areas, land, borders: pathOf(features.at(-1).geometry) };
    })
    .catch(() => (counties = undefined)));

const sheets = new WeakMap();

export default function ({ data, parentElement: root, setTriggerValue }) {
  let sheet = sheets.get(root);
  if (!sheet) {
    sheet = opened(root);
    sheets.set(root, sheet);
  }
  sheet.report = (ring) => setTriggerValue("presses", [[performance.now(), "ring", ring]]);
  sheet.show(data);
  return () => {
    sheet.watch.disconnect();
    sheets.delete(root);
  };
}

function opened(root) {
  const canvas = made("canvas", { tabindex: "0", role: "img" });
  const button = (words, sign, press) => {
    const each = made("button", { type: "button", "aria-label": words, title: words }, sign);
    each.onclick = press;
    return each;
  };
  const draw = button("Drag to draw", "✎ Draw", () => mode(true));
  const move = button("Drag to move the map", "✥ Move", () => mode(false));
  const tools = [
    draw,
    move,
    button("Zoom in", "+", () => zoomBy(1)),
    button("Zoom out", "−", () => zoomBy(-1)),
    button("Clear area", "Clear", () => sheet.report([])),
  ];
  const frame = made("div", { class: "sheet" }, made("div", { class: "tools" }, ...tools), canvas);
  root.append(frame);
  const pen = canvas.getContext("2d");
  let data, ground, x, y, zoom, seen;
  let isDrawing = true;
  let line = []; // the line being drawn, in world coordinates
  const pointers = new Map(); // pressed pointers by ID

  const mode = (drawing) => {
    isDrawing = drawing;
    draw.setAttribute("aria-pressed", String(drawing));
    move.setAttribute("aria-pressed", String(!drawing));
    canvas.style.cursor = drawing ? "crosshair" : "grab";
  };
  const scale = () => TILE * 2 ** zoom;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const inWorld = ([px, py]) => [
    x + (px - canvas.clientWidth / 2) / scale(),
    y + (py - canvas.clientHeight / 2) / scale(),
  ];
  const onScreen = (wx, wy) => [
    (wx - x) * scale() + canvas.clientWidth / 2,
    (wy - y) * scale() + canvas.clientHeight / 2,
  ];
  const zoomBy = (by, around = [canvas.clientWidth / 2, canvas.clientHeight / 2]) => {
    const [wx, wy] = inWorld(around);
    zoom = Math.min(CLOSEST, Math.max(FARTHEST, zoom + by));
    const [nx, ny] = inWorld(around);
    [x, y] = [x + wx - nx, y + wy - ny];
    paint();
  };
  const moveBy = (px, py) => {
    [x, y] = [x - px / scale(), y - py / scale()];
    x -= Math.floor(x);
    paint();
  };

  let isScheduled = false;
  const paint = () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      painted();
    });
  };
  const painted = () => {
    if (!data || !canvas.clientWidth) return;
    const dots = devicePixelRatio || 1;
    const { colours } = data;
    [canvas.width, canvas.height] = [canvas.clientWidth * dots, canvas.clientHeight * dots];
    pen.fillStyle = colours.sea;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    // The world repeats horizontally, so that areas can cross the date line.
    for (const world of [-1, 0, 1]) {
      const [west] = onScreen(world, 0);
      if (west < canvas.clientWidth && west + scale() > 0) paintedWorld(world, dots, colours);
    }
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    named(colours);
  };
  const paintedWorld = (world, dots, colours) => {
    const k = scale() * dots;
    pen.setTransform(k, 0, 0, k, canvas.width / 2 - (x - world) * k, canvas.height / 2 - y * k);
    const px = 1 / scale();
    const filled = (path, colour, opacity) => {
      [pen.globalAlpha, pen.fillStyle] = [opacity, colour];
      pen.fill(path, "nonzero");
      pen.globalAlpha = 1;
    };
    const stroked = (path, colour, width) => {
      [pen.strokeStyle, pen.lineWidth, pen.lineJoin] = [colour, width * px, "round"];
      pen.stroke(path);
    };
    if (ground) {
      filled(ground.land, colours.land, 1);
      for (const path of data.counties.map((number) => ground.areas.get(number)).filter(Boolean)) {
        filled(path, colours.reached, 0.4);
        stroked(path, colours.reached, 1.5);
      }
      stroked(ground.borders, colours.border, 0.7);
    }
    const ring = new Path2D();
    if (line.length) line.forEach(([wx, wy], number) => ring[number ? "lineTo" : "moveTo"](wx, wy));
    else traced(ring, data.ring.map(([lat, lon]) => [lon, lat]), true);
    filled(ring, colours.drawn, 0.15);
    stroked(ring, colours.drawn, 2.5);
    for (const [lon, lat] of data.dots) {
      const dot = new Path2D();
      dot.arc(across(lon), down(lat), 5 * px, 0, 2 * Math.PI);
      filled(dot, colours.reached, 1);
      stroked(dot, colours.casing, 1.5);
    }
  };
  // Names of selected places first, then of the larger towns, as many as fit.
  const named = (colours) => {
    const taken = [];
    pen.textBaseline = "middle";
    [pen.strokeStyle, pen.lineWidth, pen.lineJoin] = [colours.land, 3, "round"];
    for (const [names, weight] of [[data.dots, 600], [data.towns, 400]]) {
      pen.font = `${weight} 12px ${getComputedStyle(frame).fontFamily}`;
      for (const [lon, lat, name] of names) {
        const wx = across(lon);
        const [px, py] = onScreen(wx - Math.round(wx - x), down(lat));
        const wide = pen.measureText(name).width;
        // On the left if the edge would cut off the name.
        const left = px + 8 + wide > canvas.clientWidth ? px - 8 - wide : px + 8;
        const box = [left - 2, py - 9, left + wide + 2, py + 9];
        const isOff = box[0] < 0 || box[1] < 0 || box[2] > canvas.clientWidth || box[3] > canvas.clientHeight;
        if (isOff || taken.some((b) => b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3])) continue;
        taken.push(box);
        pen.strokeText(name, left, py);
        pen.fillStyle = colours.ink;
        pen.fillText(name, left, py);
      }
    }
  };

  canvas.onpointerdown = (event) => {
    if (event.button) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    line = pointers.size === 1 && isDrawing ? [inWorld(at(event))] : [];
    paint();
  };
  canvas.onpointermove = (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    const [px, py] = [now[0] - before[0], now[1] - before[1]];
    if (pointers.size === 1 && line.length) {
      const [lastX, lastY] = onScreen(...line.at(-1));
      if (Math.hypot(now[0] - lastX, now[1] - lastY) >= STEP_PX) line.push(inWorld(now));
      paint();
      return;
    }
    pointers.set(event.pointerId, now);
    if (pointers.size === 1) moveBy(px, py);
    if (pointers.size === 2) {
      // Two fingers zoom around the one that does not move.
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, spot]) => spot);
      const apart = ([a, b]) => Math.max(1, Math.hypot(a - other[0], b - other[1]));
      zoomBy(Math.log2(apart(now) / apart(before)), other);
    }
  };
  const ended = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    const ring = line.map(([wx, wy]) => [round(latitude(wy)), round(longitude(wx))]);
    const size = line.map((spot) => onScreen(...spot));
    const spread = (axis) => Math.max(...size.map((each) => each[axis])) - Math.min(...size.map((each) => each[axis]));
    if (event.type === "pointerup" && ring.length > 2 && Math.min(spread(0), spread(1)) > TINY_PX) {
      data = { ...data, ring };
      sheet.report(ring);
    }
    line = [];
    paint();
  };
  canvas.onpointerup = ended;
  canvas.onpointercancel = ended;
  canvas.onwheel = (event) => {
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? 0.4 : -0.4, at(event));
  };
  canvas.onkeydown = (event) => {
    const ways = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    const way = ways[event.key];
    if (way) moveBy(...way);
    else if (event.key === "+" || event.key === "=") zoomBy(1);
    else if (event.key === "-") zoomBy(-1);
    else return;
    event.preventDefault();
  };
  const watch = new ResizeObserver(paint);
  watch.observe(canvas);

  const sheet = {
    watch,
    report: () => {},
    show: (given) => {
      data = given;
      canvas.setAttribute("aria-label", data.label);
      canvas.style.height = `${data.height}px`;
      const view = JSON.stringify(data.view);
      if (view !== seen) {
        seen = view;
        [x, y, zoom] = [across(data.view.longitude), down(data.view.latitude), data.view.zoom];
      }
      readCounties(data.ground).then((read) => {
        ground = read;
        canvas.dataset.ground = read ? "there" : "missing";
        paint();
      });
      paint();
    },
  };
  mode(true);
  return sheet;
}
