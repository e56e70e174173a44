import "maplibre-gl/dist/maplibre-gl.css";
import {
  type CustomLayerInterface,
  type CustomRenderMethodInput,
  Map as MapLibre,
  NavigationControl,
  setWorkerUrl,
} from "maplibre-gl";
import { colors, land } from "./land.js";
import type { Points } from "./load.js";
import type { PointMap } from "./map.js";

setWorkerUrl(new URL("map-worker.js", import.meta.url).href);

/** A map of MapLibre; the points are a layer of its own, which hands columns to the GPU. */
export class WebGlMap implements PointMap {
  readonly renderer = "MapLibre GL, WebGL 2";
  readonly canvas: HTMLCanvasElement;
  readonly #map: MapLibre;
  readonly #layer: PointLayer;

  private constructor(map: MapLibre, layer: PointLayer) {
    this.canvas = map.getCanvas();
    this.#map = map;
    this.#layer = layer;
  }

  static async in(container: HTMLElement): Promise<WebGlMap> {
    const map = new MapLibre({
      container,
      center: [10, 25],
      zoom: 1.5,
      maxZoom: 12,
      renderWorldCopies: false,
      // What was drawn can be read: tests look at it.
      canvasContextAttributes: { preserveDrawingBuffer: true },
      attributionControl: { customAttribution: "Land: Natural Earth" },
      style: {
        version: 8,
        sources: { land: { type: "geojson", data: land } },
        layers: [
          { id: "sea", type: "background", paint: { "background-color": colors.sea } },
          { id: "land", type: "fill", source: "land", paint: { "fill-color": colors.land } },
          { id: "coast", type: "line", source: "land", paint: { "line-color": colors.coast } },
        ],
      },
    });
    map.addControl(new NavigationControl({ showCompass: false }));
    await map.once("load");
    const layer = new PointLayer();
    map.addLayer(layer);
    return new WebGlMap(map, layer);
  }

  async draw(points: Points): Promise<void> {
    this.#layer.set(points);
    this.#map.triggerRepaint();
    await this.#layer.drawn();
  }
}

const VERTEX = `#version 300 es
uniform mat4 matrix;
uniform float size;
in vec2 position;
in float status;
out float is_known;
void main() {
  gl_Position = matrix * vec4(position, 0.0, 1.0);
  gl_PointSize = size;
  is_known = status;
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
uniform vec3 known;
uniform vec3 other;
in float is_known;
out vec4 color;
void main() {
  float opacity = 0.7 * (1.0 - smoothstep(0.35, 0.5, length(gl_PointCoord - 0.5)));
  color = vec4(is_known > 0.5 ? known : other, 1.0) * opacity;
}`;

class PointLayer implements CustomLayerInterface {
  readonly id = "points";
  readonly type = "custom";
  #program!: WebGLProgram;
  #array!: WebGLVertexArrayObject;
  #buffer!: WebGLBuffer;
  #vertices: Float32Array | undefined;
  #count = 0;
  #waiting: (() => void)[] = [];

  /** Takes points; they are drawn with the next frame. */
  set({ longitude, latitude, status }: Points): void {
    const vertices = new Float32Array(longitude.length * 3);
    for (let i = 0, to = 0; i < longitude.length; i++) {
      // Web Mercator, from 0 to 1.
      vertices[to++] = longitude[i]! / 360 + 0.5;
      vertices[to++] = 0.5 - Math.asinh(Math.tan((latitude[i]! * Math.PI) / 180)) / (2 * Math.PI);
      vertices[to++] = status[i]!;
    }
    this.#vertices = vertices;
  }

  /** When what was set is drawn. */
  drawn(): Promise<void> {
    return new Promise((done) => this.#waiting.push(done));
  }

  onAdd(_: MapLibre, context: WebGLRenderingContext | WebGL2RenderingContext): void {
    const gl = context as WebGL2RenderingContext;
    const program = (this.#program = gl.createProgram());
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, FRAGMENT],
    ] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
      throw new Error(gl.getProgramInfoLog(program) ?? "no program");
    this.#array = gl.createVertexArray();
    this.#buffer = gl.createBuffer();
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    for (const [name, size, offset] of [
      ["position", 2, 0],
      ["status", 1, 8],
    ] as const) {
      const at = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, 12, offset);
    }
    gl.bindVertexArray(null);
  }

  render(context: WebGLRenderingContext | WebGL2RenderingContext, input: CustomRenderMethodInput): void {
    const gl = context as WebGL2RenderingContext;
    const isNew = this.#vertices !== undefined;
    if (this.#vertices) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
      gl.bufferData(gl.ARRAY_BUFFER, this.#vertices, gl.STATIC_DRAW);
      this.#count = this.#vertices.length / 3;
      this.#vertices = undefined;
    }
    const place = (name: string) => gl.getUniformLocation(this.#program, name);
    gl.useProgram(this.#program);
    gl.uniformMatrix4fv(place("matrix"), false, input.defaultProjectionData.mainMatrix as Float32Array);
    gl.uniform1f(place("size"), 3 * devicePixelRatio);
    gl.uniform3fv(place("known"), colors.known);
    gl.uniform3fv(place("other"), colors.other);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.DEPTH_TEST);
    gl.bindVertexArray(this.#array);
    gl.drawArrays(gl.POINTS, 0, this.#count);
    gl.bindVertexArray(null);
    if (!isNew) return;
    // So that the time of drawing is that of the GPU too.
    gl.finish();
    for (const done of this.#waiting.splice(0)) done();
  }
}
