// What the live explorer and a report share: colours of a page, the ghost of another figure, locked axes, names of files.
// Figures are plain {data, layout}; nothing here touches the page.

const LIGHT = {ink: '#1b1f24', dim: '#59626e', rule: '#dfe3e8', ground: '#ffffff'};
const DARK = {ink: '#e7eaee', dim: '#a3adb8', rule: '#3a434e', ground: '#14181d'};
const FONT = 'system-ui, "Segoe UI", "Noto Sans", "Liberation Sans", Arial, sans-serif';
const BOUND = '#6b7480';   // figures.BOUND: theory needs no ghost
const MANY = 8;   // names in a legend
const CONFIG = {   // for plotly; where nothing hovers its buttons would stand on the legend; the first of those removed uploads figures to its servers
  displaylogo: false, displayModeBar: matchMedia('(hover: none)').matches ? false : 'hover',
  modeBarButtonsToRemove: ['sendChartToCloud', 'lasso2d', 'select2d'],
};

function paint(text, colours) {   // a figure, as JSON, in the colours of a page
  if (colours === DARK) text = text.replace(/"(#000|#000000|black)"/gi, `"${colours.ink}"`).replace(/"rgba\(0, ?0, ?0,/g, '"rgba(231,234,238,');
  const figure = JSON.parse(text), layout = figure.layout, template = layout.template || {}, base = template.layout || {};
  const axis = {gridcolor: colours.rule, zerolinecolor: colours.rule, linecolor: colours.rule, automargin: true};
  for (const key of axesOf(layout)) layout[key] = {...layout[key], ...axis};
  figure.data.forEach((t, i) => { t.uid ||= `line${i}`; });   // else plotly takes that of a ghost that stood there before
  for (const t of figure.data) {   // on a logarithmic axis a band that reaches 0 has no lower edge: a block, and pale
    const {type} = layout[`yaxis${(t.yaxis || 'y').slice(1)}`] || {};
    if (t.fill === 'toself' && type === 'log' && numbers(t.y).some(y => y !== null && y <= 0)) t.opacity = 0.35;
  }
  layout.template = {...template, layout: {...base, xaxis: {...base.xaxis, ...axis}, yaxis: {...base.yaxis, ...axis}}};
  layout.paper_bgcolor = layout.plot_bgcolor = 'rgba(0,0,0,0)';
  layout.font = {...layout.font, color: colours.ink, family: FONT};
  layout.hoverlabel = {...layout.hoverlabel, bgcolor: colours.ground, bordercolor: colours.rule, font: {color: colours.ink}};
  layout.legend = {...base.legend, ...layout.legend, bgcolor: 'rgba(0,0,0,0)'};
  if (figure.data.filter(t => t.name && t.showlegend !== false).length > MANY) layout.legend.font = {size: 11};   // else it takes half of the plot
  layout.modebar = {...layout.modebar, bgcolor: 'rgba(0,0,0,0)', color: colours.dim, activecolor: colours.ink};
  divideDecades(figure);
  return figure;
}

const DECADES = 1.3;   // of a logarithmic axis whose powers of ten are ticks enough

function divideDecades({data, layout}) {   // an axis that is labelled at powers of ten, and has hardly any, is at 1, 2 and 5 times these
  for (const key of axesOf(layout).filter(name => layout[name].type === 'log' && layout[name].dtick === 1)) {
    const own = data.filter(t => t.type === 'scatter' && (t[`${key[0]}axis`] || key[0]) === key.replace('axis', ''));
    const [low, high] = extent(layout[key], own, key[0]), powers = Array.from({length: 4}, (_, i) => Math.floor(low) + i);
    if (high <= low || high - low >= DECADES) continue;
    const ticks = powers.flatMap(power => [1, 2, 5].map(x => x * 10 ** power));
    if (ticks.filter(x => Math.log10(x) >= low && Math.log10(x) <= high).length > 1) layout[key].tickvals = ticks;
    else delete layout[key].dtick;     // plotly finds some in between
  }
}

function untitled(figure) {   // the title stands above the plot as text; returns it
  const {layout} = figure, title = (layout.title || {}).text || '';
  const above = (layout.annotations || []).filter(a => a.yref === 'paper' && a.y >= 1);   // titles of panels
  const head = above.length ? 18 + 18 * Math.max(...above.map(a => a.text.split('<br>').length)) : 8;
  const base = (layout.template.layout || {}).margin;
  layout.margin = {...base, ...layout.margin, t: head + 8};
  if (layout.legend.orientation === 'h') {
    const inner = (layout.height || 450) - 100;
    Object.assign(layout.legend, {yref: 'paper', yanchor: 'bottom', y: 1 + head / inner});
  }
  delete layout.title;
  return title;
}

const SQUEEZE = 0.65;   // of a plot's height that it keeps at least

function fitted(height, plot, view, below = 0) {   // the height of a plot whose foot, and if it can what is below, is on the first screen of what scrolls
  const start = view === document.documentElement ? 0 : view.getBoundingClientRect().top;
  const room = view.clientHeight - (plot.getBoundingClientRect().top - start + view.scrollTop);
  return Math.min(height, [room - below, room].find(left => left >= SQUEEZE * height) ?? height);
}

const axesOf = layout => Object.keys(layout).filter(key => /^[xy]axis\d*$/.test(key));
const startsOf = (layout, side) => [...new Set(axesOf(layout).filter(key => key[0] === side).map(key => (layout[key].domain || [0])[0]))].sort((a, b) => a - b);

const isGhost = trace => String(trace.uid).startsWith('ghost');

function haunt(figure, other) {   // the measured lines of another figure: same colour, thin and faint, under everything else
  const measured = other.data.filter(t => t.type === 'scatter' && (t.mode || '').includes('lines') && t.fill !== 'toself'
    && (t.line || {}).color !== BOUND && t.visible !== 'legendonly' && !isGhost(t));
  const ghosts = measured.map((t, i) => ({
    type: 'scatter', mode: 'lines', x: t.x, y: t.y, xaxis: t.xaxis, yaxis: t.yaxis, legendgroup: t.legendgroup,
    uid: `ghost${i}`, name: `${t.name} before`, showlegend: false, hoverinfo: 'skip', opacity: 0.45,
    line: {...t.line, width: 1.2, dash: 'solid'},
  }));
  figure.data = [...ghosts, ...figure.data];
}

function ranges(plot) {    // as plotly has them now: logarithms on a logarithmic axis
  const full = plot._fullLayout;
  return Object.fromEntries(axesOf(full).map(key => [key, {type: full[key].type, range: [...full[key].range]}]));
}

function lock(figure, kept) {   // an axis that changed between linear and logarithmic cannot keep its range
  for (const [key, {type, range}] of Object.entries(kept)) {
    const axis = figure.layout[key];
    if (axis && (axis.type === 'log') === (type === 'log')) Object.assign(axis, {range: [...range], autorange: false});
  }
}

function outside(figure, kept) {   // names of lines that leave locked axes: a reader must not think them gone
  const left = figure.data.filter(t => {
    if (t.fill === 'toself' || isGhost(t)) return false;
    const ends = letter => {
      const {type, range} = kept[`${letter}axis${(t[`${letter}axis`] || letter).slice(1)}`] || {range: [-Infinity, Infinity]};
      return [Math.min(...range), Math.max(...range)].map(end => (type === 'log' ? 10 ** end : end));
    };
    const [[, right], [foot, top]] = ['x', 'y'].map(ends), [xs, ys] = [t.x, t.y].map(values => Array.from(numbers(values)).filter(at => typeof at === 'number'));
    return xs.some(x => x > right + 1e-9 * Math.abs(right)) || ys.some(y => y > top) || (ys.length > 0 && ys.every(y => y < foot));
  });
  return [...new Set(left.map(t => t.name))];
}

const KINDS = {i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array};

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;/=>?@^_`{|}~';   // of banditlab/page/arguments.py

async function unzip(text) {           // bytes that stand in the page gzipped, in base85
  const digit = new Uint8Array(128), bytes = new DataView(new ArrayBuffer(4 * Math.ceil(text.length / 5)));
  [...DIGITS].forEach((letter, value) => { digit[letter.charCodeAt(0)] = value; });
  for (let from = 0, to = 0; from < text.length; from += 5, to += 4) {
    let word = 0;
    for (let i = from; i < from + 5; i += 1) word = 85 * word + (i < text.length ? digit[text.charCodeAt(i)] : 84);
    bytes.setUint32(to, word);
  }
  const packed = bytes.buffer.slice(0, Math.floor(text.length * 4 / 5));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

function numbers(values) {   // an array as plotly takes it, or packed by it
  if (!values || !values.bdata) return values || [];
  const text = atob(values.bdata), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new KINDS[values.dtype](bytes.buffer);
}

const MOST = 9, ROW = 15, LETTER = 6.7, LONGEST = 24, FAR = 80, STUB = 17;   // of names at ends: lines, pixels, letters
const STEPS = 40;   // the share of an axis that is left beside steps

function spread(wanted, gap, most) {   // ascending places as near as can be to the wanted ones, neighbours a gap apart
  const blocks = [], mean = block => block.sum / block.n;
  wanted.forEach((place, i) => {
    blocks.push({sum: place - i * gap, n: 1});
    while (blocks.length > 1 && mean(blocks.at(-2)) > mean(blocks.at(-1))) {
      const last = blocks.pop(), before = blocks.at(-1);
      before.sum += last.sum;
      before.n += last.n;
    }
  });
  const room = Math.max(0, most - (wanted.length - 1) * gap);
  return blocks.flatMap(block => Array(block.n).fill(mean(block))).map((place, i) => Math.min(Math.max(place, 0), room) + i * gap);
}

function extent(axis, traces, letter) {   // the ends of an axis as plotly will choose them, logarithms on a logarithmic one
  if (axis.range) return axis.range;
  const bend = axis.type === 'log' ? Math.log10 : x => x;
  let low = Infinity, high = -Infinity;
  for (const t of traces) for (const value of numbers(t[letter])) {
    const x = value === null || value === '' ? NaN : bend(Number(value));
    if (Number.isFinite(x)) { low = Math.min(low, x); high = Math.max(high, x); }
  }
  const pad = letter === 'y' ? (high - low) / 18 : 0;   // what plotly leaves above and below lines
  return [axis.rangemode === 'tozero' ? Math.min(0, low) : low - pad, high + pad];
}

function widen({data, layout}) {   // a step that rises at an end of an axis needs room there: else half of its line is cut
  for (const key of axesOf(layout).filter(name => name[0] === 'x' && !layout[name].range)) {
    const own = data.filter(t => t.type === 'scatter' && t.visible !== 'legendonly' && (t.xaxis || 'x') === key.replace('axis', ''));
    const [low, high] = extent(layout[key], own, 'x'), pad = (high - low) / STEPS;
    if (pad > 0 && own.some(t => (t.line || {}).shape === 'hv')) layout[key] = {...layout[key], range: [low - pad, high + pad]};
  }
}

function brief(name, names) {   // a name at the end of a line: what stands before a remark, or the remark, or the first words
  const words = name.replace(/<[^>]+>/g, ' '), parts = words.replace(/ \([^)]*\)/, '').split(', ');
  const short = [words, parts[0], (words.match(/\(([^)]{3,})\)/) || [])[1], parts.at(-1)];
  const others = names.filter(other => other !== name), own = text => text === words || !others.some(other => other.startsWith(text));
  return short.find(text => text && text.length <= LONGEST && own(text)) || words.slice(0, LONGEST).replace(/\s+\S*$/, '…');
}

function tinted(colour, ink) {   // a colour dark (or light) enough to be read
  const parts = text => [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16));
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return ink;
  const other = parts(ink);
  return `rgb(${parts(colour).map((x, i) => Math.round(0.62 * x + 0.38 * other[i]))})`;
}

function listKeys(data) {   // traces without points, alone in their group: what they explain, such as bands, stands in the caption
  const empty = t => numbers(t.x).every(x => x === null), alone = t => !data.some(other => other !== t && groupOf(other) === groupOf(t));
  return data.filter(t => t.type === 'scatter' && t.name && t.showlegend !== false && empty(t) && alone(t));
}

const isEnd = trace => /^end\d/.test(trace.uid);

function nameEnds({data, layout}, width, tall, zoomed) {   // names at the ends of the lines of a single panel, in place of a legend where all find room
  if (axesOf(layout).length > 2) return 0;   // else the height of the panel that they were placed for
  const {xaxis = {}, yaxis = {}} = layout, shown = data.filter(t => t.type === 'scatter' && t.visible !== false && t.visible !== 'legendonly');
  const lines = shown.filter(t => (t.mode || '').includes('lines') && t.fill !== 'toself' && t.name && t.showlegend !== false && !isGhost(t));
  const xs = extent(xaxis, shown, 'x');
  if (!xaxis.range && lines.length && xs[1] > xs[0] && !shown.some(t => (t.mode || '').includes('markers') && numbers(t.x)[0] !== null))
    layout.xaxis = {...xaxis, range: xs};   // a text would make plotly leave room on both sides; without a range it may keep an old one
  if (width < 560) return 0;
  const [low, high] = extent(yaxis, shown, 'y'), log = yaxis.type === 'log';
  const height = tall || layout.height - layout.margin.t - (layout.margin.b || 60), bend = log ? Math.log10 : y => y;
  const ends = lines.map(line => {
    const x = numbers(line.x), y = numbers(line.y);
    let k = x.length - 1;
    while (k >= 0 && !(Number.isFinite(y[k]) && (!log || y[k] > 0))) k -= 1;
    return {line, x: x[k], place: k < 0 ? NaN : height * (high - bend(y[k])) / (high - low)};
  });
  const last = Math.max(...ends.map(end => end.x)), right = xaxis.type === 'log' ? last * 0.95 : last - 0.02 * (last - xs[0]);
  const named = ends.filter(end => end.x >= right && end.place >= -1 && end.place <= height + 1).sort((a, b) => a.place - b.place);
  if (!named.length || named.length > MOST) return 0;
  const names = lines.map(line => line.name), texts = named.map(end => brief(end.line.name, names));
  const places = spread(named.map(end => end.place), ROW, height);
  if (new Set(texts).size < texts.length || places.some((place, i) => Math.abs(place - named[i].place) > FAR)) return height;
  if (zoomed) return height;           // the ends may be out of sight
  const said = listKeys(data), listed = shown.filter(t => t.name && t.showlegend !== false && !isGhost(t) && t.fill !== 'toself' && !said.includes(t));
  layout.showlegend = named.length < listed.length || data.some(t => t.visible === 'legendonly' && !t.name);
  layout.margin.r = Math.max(layout.margin.r || 0, 16 + LETTER * Math.max(...texts.map(text => text.length)));
  if (layout.margin.r > layout.margin.l) layout.legend.x = -1e-6;   // left of the panel: plotly lets a legend be as much wider as the left margin
  named.forEach(({line, x}, i) => {
    const y = high - places[i] / height * (high - low);
    line.legendgroup = line.legendgroup || line.name;
    data.push({
      type: 'scatter', mode: 'text', x: [x], y: [log ? 10 ** y : y], text: [` ${texts[i]}`], textposition: 'middle right',
      textfont: {...letters(line), color: tinted((line.line || {}).color || '', layout.font.color)}, legendgroup: line.legendgroup,
      xaxis: line.xaxis, yaxis: line.yaxis, uid: `end${i}`, showlegend: false, hoverinfo: 'skip', cliponaxis: false,
    });
  });
  return height;
}

const letters = trace => ((trace || {}).meta?.guest ? {size: 14, weight: 700} : {size: 12});   // the reader's own stands out
const groupOf = trace => trace.legendgroup || trace.name;

function switchLines(plot, {data}) {   // what the reader has switched on or off in this figure
  for (const t of data) if (groupOf(t) in plot.switched) t.visible = plot.switched[groupOf(t)] ? true : 'legendonly';
}

function addStubs({data, layout}, width) {   // above the frame: lines that are switched off, and policies that cannot play here
  const off = new Map(data.filter(t => t.visible === 'legendonly' && t.name && t.showlegend !== false).map(t => [t.name, t]));
  const words = layout.showlegend === false ? [...off].map(([name, t]) => ({name: groupOf(t), text: `○ ${brief(name, [...off.keys()])}${t.meta?.guest ? ', yours: click to draw it' : ''}`, t})) : [];
  const most = Math.max(20, Math.floor((width - 110) / LETTER)), lines = text => text.match(new RegExp(`.{1,${most}}(\\s|$)`, 'g')) || [text];
  for (const [name, why] of Object.entries((layout.meta || {}).left || {})) words.push(...lines(`${name}: ${why}`).reverse().map(text => ({name: '', text})));
  words.forEach(({name, text, t}, i) => (layout.annotations ||= []).push({
    xref: 'paper', yref: 'paper', x: 0, y: 1, xanchor: 'left', yanchor: 'bottom', yshift: 2 + STUB * i, showarrow: false, text, name,
    font: {...letters(t), color: layout.font.color}, captureevents: Boolean(name),
  }));
  layout.margin.t += STUB * words.length;
  if (layout.legend.orientation === 'h') layout.legend.y += STUB * words.length / ((layout.height || 450) - 100);
}

function listen(plot, redraw) {        // a click on a name switches its line, at its end, in the legend or above the frame
  const flip = (name, on) => {
    plot.switched[name] = on;
    redraw();
    return false;                      // plotly's own way would not outlive the legend
  };
  plot.on('plotly_legendclick', ({curveNumber, data}) => flip(groupOf(data[curveNumber]), data[curveNumber].visible === 'legendonly'));
  plot.on('plotly_clickannotation', ({annotation}) => flip(annotation.name, true));
  plot.on('plotly_relayout', () => {
    const full = plot._fullLayout, differs = key => String(full[key].range) !== String((plot.frame[key] || {}).range);
    const zoomed = axesOf(full).some(key => !full[key].autorange && differs(key));
    if (zoomed === plot.zoomed) return;
    plot.zoomed = zoomed;
    redraw();
  });
  plot.onclick = ({target}) => {
    const words = target.closest('.textpoint'), end = words && plot.data.find(t => isEnd(t) && t.text[0].trim() === words.textContent.trim());
    if (end) flip(end.legendgroup, false);
  };
}

const NARROW = 560, BETWEEN = 78, HEADING = 24;   // pixels: panels side by side need as many; ticks and title, and a title of panels, stand between them

function stack({data, layout}, width) {   // the panels of a single row on top of each other, where they have no room side by side; returns whether
  const across = axesOf(layout).filter(key => key[0] === 'x'), own = key => layout[key].domain || [0, 1], columns = startsOf(layout, 'x');
  const up = key => layout[`yaxis${(layout[key].anchor || 'y').slice(1)}`] || {};
  if (width >= NARROW || columns.length < 2 || startsOf(layout, 'y').length > 1 || data.some(t => t.type === 'heatmap')) return false;
  const tall = layout.height || 450, foot = layout.margin.b || 60, each = Math.max(200, 0.7 * (tall - layout.margin.t - foot));
  const headed = (layout.annotations || []).some(note => note.yref === 'paper'), between = BETWEEN + (headed ? HEADING : 0);
  const inner = columns.length * each + (columns.length - 1) * between, ends = i => 1 - i * (each + between) / inner;
  const first = up(across.find(key => own(key)[0] === columns[0]));
  for (const note of layout.annotations || []) {
    const i = columns.findIndex((start, j) => note.x >= start && !(note.x >= columns[j + 1]));
    if (note.xref === 'paper' && note.yref === 'paper') Object.assign(note, {x: 0.5, y: ends(i)});
  }
  for (const key of across) {
    const i = columns.indexOf(own(key)[0]), axis = up(key), shared = axis.showticklabels === false;
    Object.assign(axis, {domain: [ends(i) - each / inner, ends(i)]}, shared && {showticklabels: true, title: first.title});
    layout[key].domain = [0, 1];
  }
  if (layout.legend.orientation === 'h') layout.legend.y = 1 + (layout.legend.y - 1) * (tall - 100) / inner;
  layout.height = inner + layout.margin.t + foot;
  return true;
}

function part({data, layout}, width) {   // panels side by side, far enough apart for titles and ticks
  const bar = data.some(t => t.type === 'heatmap' && t.showscale !== false) ? 90 : 0;   // the scale of colours stands in the margin
  const inner = width - (layout.margin.l || 84) - (layout.margin.r || 30) - bar, axes = axesOf(layout).filter(key => key[0] === 'x');
  const beside = key => layout[`yaxis${(layout[key].anchor || 'y').slice(1)}`] || {};
  const room = new Map();   // start of a panel to the pixels that stand left of it
  for (const key of axes) {
    const axis = beside(key), [start] = layout[key].domain || [0, 1];
    if (!start || axis.showticklabels === false) continue;
    const words = axis.ticktext ? 14 + LETTER * Math.max(...axis.ticktext.map(text => String(text).length)) : 34;
    room.set(start, Math.max(room.get(start) || 0, words + ((axis.title || {}).text ? 42 : 0)));
  }
  for (const key of axes) {
    const [left, right] = layout[key].domain || [0, 1], next = Math.min(...[...room.keys()].filter(start => start >= right));
    const end = Math.max(left + 0.1, next - room.get(next) / inner);
    if (!(end < right)) continue;
    const middle = (left + right) / 2;
    layout[key] = {...layout[key], domain: [left, end]};
    for (const note of layout.annotations || []) if (note.xref === 'paper' && Math.abs(note.x - middle) < 1e-6) note.x = (left + end) / 2;
  }
}

function put(Plotly, plot, how, figure, config, width, redraw) {   // draws; names are placed anew where a tall legend left less room
  const turn = plot.turn = (plot.turn || 0) + 1;   // a newer figure is never overtaken by the names of an older one
  const before = how === Plotly.react && plot._fullLayout && plot._fullLayout.height === figure.layout.height;
  if (plot.subject !== figure.layout.uirevision || !plot.switched) [plot.subject, plot.switched] = [figure.layout.uirevision, {}];
  if (how === Plotly.newPlot) plot.zoomed = false;
  switchLines(plot, figure);
  part(figure, width);
  widen(figure);
  const height = nameEnds(figure, width, before && plot._fullLayout._size.h, plot.zoomed);   // as of the figure before: drawn once
  addStubs(figure, width);
  return how(plot, figure.data, figure.layout, config).then(() => {
    const real = plot._fullLayout._size.h;
    if (how === Plotly.newPlot) listen(plot, redraw);
    if (!plot.zoomed) plot.frame = ranges(plot);
    if (turn !== plot.turn || !height || Math.abs(real - height) < 0.08 * height) return plot;
    figure.data = figure.data.filter(trace => !isEnd(trace));
    nameEnds(figure, width, real, plot.zoomed);
    return Plotly.react(plot, figure.data, figure.layout, config);
  });
}

const slug = text => text.replace(/[^\p{L}\p{N}.=-]+/gu, '-').replace(/^-+|-+$/g, '').toLowerCase();

function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function picture(Plotly, text, title, name, format) {   // in light colours and with its title: it leaves the page
  const {data, layout} = paint(text, LIGHT);
  untitled({data, layout});
  const height = (layout.height || 450) + 50, margin = {...layout.margin, t: layout.margin.t + 80};
  Object.assign(layout, {height, margin});
  widen({data, layout});
  nameEnds({data, layout}, 900);
  Object.assign(layout, {paper_bgcolor: '#ffffff', plot_bgcolor: '#ffffff'});
  layout.title = {text: title, x: 0.01, xanchor: 'left', y: 1 - 12 / height, yanchor: 'top', yref: 'container', font: {size: 17}};
  const url = await Plotly.toImage({data, layout}, {format, width: 900, height, scale: format === 'png' ? 2 : 1});
  const body = url.slice(url.indexOf(',') + 1), svg = format === 'svg';
  const bytes = svg ? decodeURIComponent(body) : Uint8Array.from(atob(body), c => c.charCodeAt(0));
  save(`${name}.${format}`, new Blob([bytes], {type: svg ? 'image/svg+xml' : 'image/png'}));
}
