// The canvas over the base map: arcs, marks, and names. A change of the hour repaints only this canvas.

import { curvesAt, drawCurve, isNear, pathsOf } from "./arcs.js";
import { sizedPen } from "./dom.js";
import { drawMark } from "./marks.js";
import { drawNames } from "./names.js";
import { Viewport } from "./world.js";

const MARGIN = 40;
const REACH = 6;

export class Sheet {
  constructor(canvas, map) {
    this.canvas = canvas;
    this.map = map;
    this.marks = []; // [x, y, cluster] in pixels, as last painted, the most people first
    this.curves = []; // [path, curve]
    this.font = getComputedStyle(canvas).fontFamily;
  }

  // Count the people of the hour, and paint.
  show(scene) {
    this.scene = scene;
    this.counted = null;
    this.paint();
  }

  paint() {
    if (!this.scene || !this.canvas.clientWidth) return;
    const { data, clusters, hour, limit, selected, colors } = this.scene;
    const view = Viewport.of(this.map);
    const level = clusters.levelAt(view.zoom);
    if (this.counted?.level !== level) {
      this.counted = { level, marks: level.count(hour, limit), curves: curvesAt(data, level, hour) };
    }
    const pen = sizedPen(this.canvas);
    this.view = view;
    this.curves = this.counted.curves.flatMap((curve) => pathsOf(curve, view).map((path) => [path, curve]));
    this.marks = this.counted.marks
      .map((cluster) => [...view.nearest(cluster.x, cluster.y), cluster])
      .filter((mark) => view.includes(mark, MARGIN));
    for (const [path, curve] of this.curves) drawCurve(pen, path, curve, colors);
    for (const [x, y, cluster] of this.marks) {
      const isSelected = selected.size > 0 && cluster.places.some((place) => selected.has(data.ids[place]));
      drawMark(pen, x, y, { ...cluster, isSelected }, colors, this.font);
    }
    drawNames(pen, view, this.marks, data, colors, this.font);
    this.drawOver?.(pen, view);
  }

  // Return the mark at a pixel: the smaller of two that overlap, which is painted later.
  markAt({ x, y }) {
    return this.marks.findLast(([mx, my, { radius }]) => Math.hypot(mx - x, my - y) <= radius + REACH)?.[2];
  }

  curveAt({ x, y }) {
    return this.curves.find(([path, { width }]) => isNear(path, x, y, width + REACH))?.[1];
  }
}
