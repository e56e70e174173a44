/** The chart library, which stands in a script of its own before these. */
declare const echarts: { init(box: HTMLElement, theme: null, options: object): any };
interface Window {
  /** For tests, and for those who want to compute more. */
  wirewise: object;
}
