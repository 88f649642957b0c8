// What has more than it shows is scrolled with the keyboard, too: not every browser stops there by itself.
const hides = e => e.scrollWidth > e.clientWidth || (e.tagName === 'PRE' && e.scrollHeight > e.clientHeight);
const stops = new ResizeObserver(entries => entries.forEach(({target}) => (hides(target) ? target.setAttribute('tabindex', 0) : target.removeAttribute('tabindex'))));
document.querySelectorAll('.scroll, .output, .text table, math[display], pre').forEach(e => stops.observe(e));
