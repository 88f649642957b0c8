// Another report: the values that a reader changes become the command that makes it.

const WHOLE = /^[-+]?\d+$/, NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

function readNumbers(text, {whole, least, most}) {   // what the command is given, or an error that says what is wrong
  const words = x => x.toLocaleString('en', {maximumFractionDigits: 20});
  const limits = most === null ? `at least ${words(least || 0)}` : `between ${words(least)} and ${words(most)}`;
  const read = text.split(',').map(part => part.trim()).map(part => {
    if (!(whole ? WHOLE : NUMBER).test(part) || !Number.isFinite(Number(part))) throw Error(`${part || 'nothing'}: must be a ${whole ? 'whole ' : ''}number`);
    if ((least !== null && Number(part) < least) || (most !== null && Number(part) > most)) throw Error(`${part}: must be ${limits}`);
    return whole ? String(BigInt(part.replace('+', ''))) : String(Number(part));
  });
  const twice = read.find((value, place) => read.indexOf(value) < place);
  if (twice) throw Error(`${twice}: is given twice`);
  return read.join(',');
}

function askOthers(panel) {
  const fields = [...panel.querySelectorAll('[name]')], shown = panel.querySelector('.command'), total = panel.querySelector(':scope > .wrong');
  const [copy, back] = panel.querySelectorAll('button'), note = panel.querySelector('[role=status]');

  function read(field) {                // its text as the command takes it; what is wrong is told beside it
    const says = field.nextElementSibling, rule = JSON.parse(field.dataset.rule || '{}');
    let wrong = '', value = field.value.trim();
    try {
      if ('whole' in rule) value = readNumbers(value, rule);
      else if (!value) throw Error('must not be empty');
    } catch (error) { wrong = error.message; }
    if (says) says.textContent = wrong;
    field.toggleAttribute('aria-invalid', Boolean(wrong));
    return wrong ? null : value;
  }

  function tell() {
    const values = Object.fromEntries(fields.map(field => [field.name, read(field)])), wrong = Object.keys(values).filter(name => values[name] === null);
    const reports = fields.filter(field => field.dataset.rule?.includes('whole')).reduce((n, field) => n * (values[field.name] || '').split(',').length, 1);
    const many = reports > pageFacts.most;
    total.textContent = many ? `These values make ${reports} reports; at most ${pageFacts.most} are made at once.` : '';
    copy.disabled = many || wrong.length > 0;
    note.textContent = '';
    shown.textContent = wrong.length ? `First correct ${wrong.join(', ')}.` : many ? '' : moduleLine(values, values.scale || pageFacts.scale);
  }

  panel.addEventListener('input', tell);
  copy.addEventListener('click', () => copyText(shown.textContent, note));
  back.addEventListener('click', () => {
    for (const field of fields) field.value = pageFacts.run[field.name];
    tell();
  });
  tell();
}

document.querySelectorAll('.remake').forEach(askOthers);
