// The strip under every figure: its numbers, its picture, the command that makes it again.

const SAID = 5000;   // ms that a note stands there

const quoted = text => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);   // as Python's shlex.quote

const same = (a, b) => String(a) === String(b) || (String(a) !== '' && Number(a) === Number(b));   // 1.0 and 1

const changed = (values, others) => Object.entries(values).filter(([name, value]) => !same(value, others[name]) && !['scale', 'live'].includes(name));

function listOptions(values) {          // what differs from the notebook's own values, and where notebooks are
  return [...changed(values, pageFacts.own).map(([name, value]) => `-p ${name} ${quoted(String(value))}`), pageFacts.places].filter(Boolean).join(' ');
}

const moduleLine = (values, scale) => `python -m banditlab.report ${pageFacts.notebook} --scale ${scale} ${listOptions(values)}`.trim();

function command(figure) {
  const values = {...pageFacts.run, ...figure.taken}, options = listOptions(values);
  if (pageFacts.places.includes('--notebooks')) return moduleLine(values, pageFacts.scale);
  return `make report NB=${pageFacts.notebook} ${options ? `P="${options}" ` : ''}SCALE=${pageFacts.scale}`;
}

function table({data, layout}) {      // as banditlab/explorer/export.py: panel, series, x, y, low, high, and z of a map
  const axes = t => [t.xaxis || 'x', t.yaxis || 'y'], panels = new Map(), bands = new Map(), taken = new Map(), rows = [];
  const cell = x => { const text = x === null || x === undefined ? '' : String(x); return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text; };
  const title = axis => ((layout[`${axis[0]}axis${axis.slice(1)}`] || {}).title || {}).text || 'not named';
  for (const t of data) {
    const key = axes(t).join(' ');
    if (!panels.has(key)) panels.set(key, panels.size + 1);
    const panel = panels.get(key), group = `${panel} ${t.legendgroup}`, y = numbers(t.y);
    if (t.type === 'scatter' && t.fill === 'toself' && t.legendgroup !== undefined) { bands.set(group, y); continue; }
    const band = bands.get(group) || [], half = band.length >> 1, low = band.slice(half).reverse(), high = band.slice(0, half);
    bands.delete(group);
    const cells = t.z && rowsOf(t.z).flatMap((row, j) => Array.from(row, (z, i) => [numbers(t.x)[i], y[j], '', '', z]));
    const points = cells || Array.from(numbers(t.x), (x, i) => [x, y[i], low[i], high[i]]).filter(([x]) => x !== null);
    if (!points.length) continue;
    const name = `${panel} ${t.name}`, count = (taken.get(name) || 0) + 1;
    taken.set(name, count);
    for (const point of points) rows.push([panel, count > 1 ? `${t.name} (${count})` : t.name, ...point]);
  }
  const head = [...panels].map(([key, n]) => `# panel ${n}: x is ${title(key.split(' ')[0])}, y is ${title(key.split(' ')[1])}\n`);
  return head.join('') + [['panel', 'series', 'x', 'y', 'low', 'high', ...(data.some(t => t.z) ? ['z'] : [])], ...rows].map(row => row.map(cell).join(',')).join('\n') + '\n';
}

function rowsOf(z) {                    // of a matrix as plotly takes it, or packed by it
  if (!z.bdata) return Array.from(z, numbers);
  const all = numbers(z), width = Number(z.shape.split(',')[1]);
  return Array.from({length: all.length / width}, (_, j) => all.subarray(j * width, (j + 1) * width));
}

function takeAway(figure, note) {       // what of a figure can be taken away: tools, as of instrument.js; note(): where it is said
  const plot = figure.querySelector('.plot');
  const source = () => texts.get(plot) || figure.querySelector(':scope > script').textContent;
  const heading = () => (figure.querySelector('.title') || figure.querySelector('figcaption b')).textContent + (figure.partial ? ` (complete: ${figure.partial})` : '');
  const label = figure.querySelector('figcaption b').textContent.replace(/\.$/, '');   // as the page names it
  const name = () => slug([pageFacts.notebook, label, (figure.taken || {}).figure || '', ...changed({...pageFacts.run, ...figure.taken}, pageFacts.own).filter(([n]) => n !== 'figure').map(([n, v]) => `${n}${v}`)].join('-')).slice(0, 80);
  const csv = () => {
    const head = [`banditlab, report ${pageFacts.notebook}, ${pageFacts.scale} size: ${heading()}`,
      ...Object.entries({...pageFacts.run, ...figure.taken}).map(([key, value]) => `${key} = ${value}`), `again: ${command(figure)}`,
      ...(figure.partial ? [`complete: ${figure.partial}`] : []), ...(figure.played ? ['computed in the page: what is played to the last bit, what follows from a formula to seven digits'] : figure.taken ? ['from the grid inside the page: numbers are rounded to 1/65,534 of the range of their line'] : [])];
    keep(`${name()}.csv`, new Blob([head.map(line => `# ${line}\n`).join('') + table(JSON.parse(source()))], {type: 'text/csv'}));
  };
  const keep = (file, blob) => {
    save(file, blob);
    tell(note(), `Saved ${file}.`);
  };
  const print = format => { const file = name(); return picture(Plotly, source(), heading(), file, format).then(() => tell(note(), `Saved ${file}.${format}.`)); };
  return [
    ['CSV', 'CSV', 'Save the numbers of the lines', csv],
    ['SVG', 'SVG', 'Save the picture, to print', () => print('svg')],
    ['PNG', 'PNG', 'Save the picture, for slides', () => print('png')],
    ['command', 'Copy command', 'Copy the command that makes a report of exactly this figure', () => copyText(command(figure), note())],
  ];
}

function tell(note, text) {             // for some seconds, or until something newer is said
  note.textContent = text;
  setTimeout(() => { if (note.textContent === text) note.textContent = ''; }, SAID);
}

async function copyText(text, note) {   // where there is no clipboard it is shown, ready to be copied
  try { await navigator.clipboard.writeText(text); tell(note, text.startsWith('file:') ? 'Copied. Elsewhere it needs this file, too: send both.' : 'Copied.'); } catch { note.textContent = text; getSelection().selectAllChildren(note); }
}

function strip(figure) {                // under a figure that stands still
  const row = add(figure, 'p', {class: 'take'}), note = document.createElement('span');
  note.setAttribute('role', 'status');
  takeAway(figure, () => note).forEach(one => addTool(row, ...one));
  row.append(note);
}
