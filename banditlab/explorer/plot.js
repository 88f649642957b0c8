// The plot of an explorer. The module begins with plotly.js as it comes with the installed plotly.

const Plotly = globalThis.Plotly;
const CONFIG = {
  displaylogo: false,
  modeBarButtonsToRemove: ['sendChartToCloud', 'lasso2d', 'select2d'],   // the first uploads figures to plotly's servers
  toImageButtonOptions: {format: 'svg'},
};

function render({model, el}) {
  const plot = document.createElement('div');
  el.append(plot);
  let shown = null;
  const draw = () => {
    const {data, layout} = JSON.parse(model.get('figure'));
    const put = layout.uirevision === shown ? Plotly.react : Plotly.newPlot;   // another figure inherits nothing
    put(plot, data, layout, CONFIG);
    shown = layout.uirevision;
  };
  let width = 0;
  const sized = new ResizeObserver(() => {
    if (el.clientWidth === width || !el.clientWidth) return;
    if (width) Plotly.Plots.resize(plot);
    else draw();   // not before the view hangs in the page and has a width
    width = el.clientWidth;
  });
  sized.observe(el);
  const changed = () => { if (width) draw(); };
  model.on('change:figure', changed);
  return () => {
    model.off('change:figure', changed);
    sized.disconnect();
    Plotly.purge(plot);
  };
}

export default { render };
