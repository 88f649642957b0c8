"""What a page in JupyterLab is asked by scripts of its own: when it repaints, computes, stands still, what it draws."""

# Two promises: the ms from the next keydown until a line has changed and two frames are drawn, so that the pixels are
# there; and the ms until the same is true of the last line that changed before the panel rested for 100 ms.
PROBE = """
window.repaint = (panel) => {
  const root = document.querySelector(panel), bar = root.querySelector('.instrument');
  const LINE = '.scatterlayer path.js-line';
  const lines = () => [...root.querySelectorAll(LINE)].map((p) => p.getAttribute('d')).join('|');
  let pressed = null, shown = lines(), last = null, tell;
  window.addEventListener('keydown', () => { pressed = performance.now(); }, {capture: true, once: true});
  const painted = () => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - pressed))));
  const changed = () => {
    const now = lines();
    if (pressed === null || !now || now === shown) return;
    shown = now;
    last = painted();
    tell(last);
  };
  const seen = new MutationObserver(changed);
  seen.observe(root, {subtree: true, childList: true, attributes: true, attributeFilter: ['d']});
  const first = new Promise((done, fail) => {
    tell = done;
    setTimeout(() => fail(new Error('no repaint in 240 s')), 240000);
  });
  const whole = first.then(() => new Promise((done) => {
    let since = performance.now();
    const look = setInterval(() => {
      if (bar.getAttribute('aria-busy') !== 'false') since = performance.now();
      if (performance.now() - since < 100) return;
      clearInterval(look);
      seen.disconnect();
      done(last);
    }, 20);
  }));
  return {first, whole};
};
"""

# Whether a panel computes; asked of the page itself: selectors of playwright walk through all of JupyterLab for 15 ms.
BUSY = "(panel) => document.querySelector(`${panel} .instrument`)?.getAttribute('aria-busy') !== 'false'"

# Wait until the window has this width and the panel has been the same for ten frames.
STILL = """([panel, width]) => new Promise((done) => {
  let last = '', frames = 0;
  const look = () => {
    const box = document.querySelector(panel).getBoundingClientRect(), now = [box.width, box.height].join();
    frames = innerWidth === width && now === last ? frames + 1 : 0;
    last = now;
    if (frames > 10) done(); else requestAnimationFrame(look);
  };
  look();
})"""

# The traces of the plot as plotly has understood them, in plain arrays; without the names at their ends.
TRACES = r"""
(panel) => document.querySelector(panel + ' .js-plotly-plot')._fullData
  .filter((t) => !/^end/.test(t.uid)).map((trace) => ({
  name: trace.name, x: Array.from(trace.x ?? []), y: Array.from(trace.y ?? []), visible: trace.visible === true,
  lines: trace.type === 'scatter' && trace.mode.includes('lines'),
}))
"""
