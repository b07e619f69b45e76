// The base map: MapLibre GL with one picture of the world, and polygons at higher zooms. sheet.js draws people and
// names over it.

const FILES = new URL("../../../app/static/", import.meta.url);
const [FURTHEST, CLOSEST, CLOSEST_FIT] = [0, 14, 6];
const POLYGONS_FROM = 2.5; // the zoom at which the picture becomes coarse
const WATERS_FROM = 5.5; // the zoom at which rivers and lakes help to find a place
const MAX_LATITUDE = 85.0511;
const WORLD = [
  [-180, MAX_LATITUDE],
  [180, MAX_LATITUDE],
  [180, -MAX_LATITUDE],
  [-180, -MAX_LATITUDE],
];

export const fileUrl = (name) => new URL(name, FILES).href;

export const canDraw = Boolean(document.createElement("canvas").getContext("webgl2"));

// Starts to load with this module, while the counts are loading.
const library = canDraw && import(fileUrl("map/maplibre-gl.mjs"));
if (library) {
  library.then((maplibre) => maplibre.setWorkerUrl(fileUrl("map/maplibre-gl-worker.mjs"))).catch(() => {});
}

const pictureUrl = (theme) => fileUrl(`map/world-${theme}.png`);

export async function openGround(container, { theme, colors, place }) {
  const maplibre = await library;
  const map = new maplibre.Map({
    container,
    ...place,
    fitBoundsOptions: fitOptions(container),
    minZoom: FURTHEST,
    maxZoom: CLOSEST,
    boxZoom: false, // the Shift key adds to the selection
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: 0,
    style: {
      version: 8,
      sources: { world: { type: "image", url: pictureUrl(theme), coordinates: WORLD } },
      layers: [
        { id: "sea", type: "background", paint: { "background-color": colors.sea } },
        { id: "world", type: "raster", source: "world", paint: { "raster-fade-duration": 0 } },
      ],
    },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.getCanvas().setAttribute("aria-label", "Map. Arrow keys move it, plus and minus zoom.");
  map.addControl(new maplibre.NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new maplibre.ScaleControl({ unit: "metric" }), "bottom-left");
  const ground = { theme, colors };
  const addPolygons = () => {
    if (map.getZoom() < POLYGONS_FROM - 0.3 || map.getSource("countries") || !map.isStyleLoaded()) return;
    map.addSource("countries", { type: "geojson", data: fileUrl("basemap/countries.geojson"), tolerance: 0.2 });
    const layer = { source: "countries", minzoom: POLYGONS_FROM };
    map.addLayer({ id: "deep", type: "background", minzoom: POLYGONS_FROM });
    map.addLayer({ ...layer, id: "land", type: "fill", filter: ["!=", ["get", "name"], "Borders"] });
    map.addLayer({ ...layer, id: "borders", type: "line", filter: ["==", ["get", "name"], "Borders"] });
    color();
  };
  const addWaters = () => {
    if (map.getZoom() < WATERS_FROM - 0.3 || map.getSource("waters") || !map.getSource("countries")) return;
    if (!map.isStyleLoaded()) return;
    map.addSource("waters", { type: "geojson", data: fileUrl("basemap/waters.geojson"), tolerance: 0.2 });
    const layer = { source: "waters", minzoom: WATERS_FROM };
    map.addLayer({ ...layer, id: "lakes", type: "fill", filter: ["==", ["get", "kind"], "lake"] }, "borders");
    map.addLayer({ ...layer, id: "rivers", type: "line", filter: ["==", ["get", "kind"], "river"] }, "borders");
    color();
  };
  const color = () => {
    map.setPaintProperty("sea", "background-color", ground.colors.sea);
    if (!map.getSource("countries")) return;
    map.setPaintProperty("deep", "background-color", ground.colors.sea);
    map.setPaintProperty("land", "fill-color", ground.colors.land);
    map.setPaintProperty("borders", "line-color", ground.colors.border);
    if (!map.getSource("waters")) return;
    map.setPaintProperty("lakes", "fill-color", ground.colors.sea);
    map.setPaintProperty("rivers", "line-color", ground.colors.river);
  };
  const repaint = () => {
    map.getSource("world").updateImage({ url: pictureUrl(ground.theme) });
    color();
  };
  for (const event of ["zoom", "idle"]) {
    map.on(event, addPolygons);
    map.on(event, addWaters);
  }
  return {
    map,
    fit: (to) => map.fitBounds(to, { ...fitOptions(container), animate: false }),
    show: (view) => map.fitBounds(view, { padding: 0, animate: false }),
    setTheme(next, nextColors) {
      if (next === ground.theme) return;
      Object.assign(ground, { theme: next, colors: nextColors });
      if (map.isStyleLoaded()) repaint();
      else map.once("idle", repaint);
    },
  };
}

function fitOptions(container) {
  const padding = Math.min(48, container.clientWidth / 10, container.clientHeight / 10);
  return { padding, maxZoom: CLOSEST_FIT };
}
