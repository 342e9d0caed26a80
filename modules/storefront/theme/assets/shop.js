// Makes pages pleasant. Everything works without it: it only sends the same forms, and puts parts of the answers in place.
const root = document.documentElement;

const read = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html');

// Selects and quantities send their form when they change.
document.addEventListener('change', (event) => {
  const field = event.target;
  if (field.matches('[data-submit]')) field.form.requestSubmit();
  const opened = field.dataset?.opens && document.getElementById(field.dataset.opens);
  if (opened) opened.classList.toggle('open', field.checked);
  const form = field.closest('form[data-live]');
  if (form && form.method === 'get') form.requestSubmit();
  if (form && form.method === 'post' && field.matches('[data-reprice], #ship_elsewhere')) reprice(form);
});
for (const box of document.querySelectorAll('[data-opens]')) {
  document.getElementById(box.dataset.opens)?.classList.toggle('open', box.checked);
}

// Prices of the checkout follow what is chosen: the same form, sent for its prices only.
let asked = 0;
async function reprice(form) {
  const mine = ++asked;
  const order = form.querySelector('[data-once]');
  if (order) order.disabled = true;
  const body = new URLSearchParams(new FormData(form));
  body.set('update', '1');
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } }).catch(() => null);
  if (mine !== asked) return;
  if (order) order.disabled = false;
  if (!answer?.ok) return;
  const page = await read(answer);
  for (const name of ['.sums', '#shipping_method_id']) {
    const [old, fresh] = [form.querySelector(name), page.querySelector(name)];
    if (old && fresh) old.replaceWith(fresh);
  }
  const total = page.querySelector('[name=expected_total_amount]');
  if (total) form.querySelector('[name=expected_total_amount]').value = total.value;
}

// The cart changes in place: its forms are sent one after the other, and what the answer shows is put where it belongs.
let sent = Promise.resolve();
let waiting;
document.addEventListener('submit', (event) => {
  const [form, button] = [event.target, event.submitter];
  if (!form.matches('#cart form.change:not([data-whole])')) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.set(button.name, button.value);
  // The Enter key changes the field and sends its form, which is one wish.
  const wish = `${form.action}?${body}`;
  if (wish === waiting) return;
  waiting = wish;
  sent = sent.then(() => changeCart(form, body, button));
});
async function changeCart(form, body, button) {
  const page = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } }).then(read).catch(() => null);
  waiting = null;
  const [old, fresh] = [document, page].map((one) => one?.querySelector('#cart'));
  if (!fresh) {
    // As without a script: the browser tells what is wrong.
    if (!form.isConnected) return location.reload();
    form.dataset.whole = '';
    return form.requestSubmit(button);
  }
  const [own, freshOwn] = [document, page].map((one) => one.querySelector('.own'));
  if (own && freshOwn && !own.contains(document.activeElement)) own.replaceChildren(...freshOwn.childNodes);
  for (const one of document.querySelectorAll('.notices > *')) one.remove();
  document.querySelector('.notices[role=status]')?.append(...page.querySelectorAll('.notices > *'));
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  // Nobody is thrown out of a field: what is typed there is sent when it is left, and shows the rest as well.
  const isSent = held?.form?.action === form.action && held.value === body.get('quantity');
  if (held?.name === 'quantity' && held.value !== held.defaultValue && !isSent) return;
  const line = [...old.querySelectorAll('.line')].findIndex((one) => one.contains(held));
  old.replaceWith(fresh);
  const wrong = fresh.querySelector('[role=alert]');
  if (wrong) return wrong.focus();
  if (!held) return;
  const alike = (one) => one.form?.action === held.form?.action && ['name', 'href', 'tabIndex'].every((key) => one[key] === held[key]);
  const links = [...fresh.querySelectorAll('[id^=line-]')];
  const next = [...fresh.querySelectorAll(held.localName)].find(alike) ?? links[line] ?? links.at(-1) ?? fresh.querySelector('a');
  next?.focus();
}

// A second click orders nothing more: the form carries its key, and the button rests meanwhile.
document.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (!button?.matches('[data-once]')) return;
  setTimeout(() => { button.disabled = true; });
});
addEventListener('pageshow', () => document.querySelectorAll('[data-once]').forEach((button) => { button.disabled = false; }));

// In a row that is wider than the window, the category one is in is to be seen.
const here = document.querySelector('.kinds [aria-current]');
if (here) {
  const row = here.closest('ul');
  row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
}

// The price of a product follows its options, written as the shop writes it.
const price = document.querySelector('[data-price]');
const buy = document.querySelector('form.buy');
if (price && buy) {
  const shown = price.querySelector('strong');
  const { price: base, currency, locale } = price.dataset;
  const format = new Intl.NumberFormat(locale || root.lang, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits;
  const first = shown.textContent;
  buy.addEventListener('change', () => {
    let change = 0;
    for (const option of buy.querySelectorAll('option:checked[data-adjust], input:checked[data-adjust]')) change += Number(option.dataset.adjust);
    shown.textContent = change ? format.format((Number(base) + change) / 10 ** digits) : first;
  });
}

// What an order still waits for is looked for again, ever more slowly, and told where it has come.
async function lookAgain(told) {
  for (const seconds of [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]) {
    await new Promise((done) => { setTimeout(done, seconds * 1000); });
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
    if (!answer?.ok) continue;
    const page = await read(answer);
    const [fresh, order, old] = [page.querySelector('#awaited'), page.querySelector('#order'), document.querySelector('#order')];
    if (!fresh || !order || !old) return;
    const hasMore = order.dataset.bought !== old.dataset.bought;
    // Nobody is thrown out of a field or a link.
    if ((fresh.dataset.waits === told.dataset.waits && !hasMore) || old.contains(document.activeElement)) continue;
    old.replaceWith(order);
    if (!fresh.hasChildNodes() && told.dataset.done && hasMore) {
      fresh.append(Object.assign(document.createElement('p'), { className: 'notice', textContent: told.dataset.done }));
    }
    told.replaceChildren(...fresh.childNodes);
    if (!fresh.dataset.waits) return;
    Object.assign(told.dataset, fresh.dataset);
  }
}
const told = document.querySelector('#awaited[data-waits]');
if (told) lookAgain(told);

// Pictures of a product change places instead of opening.
document.querySelector('[data-gallery]')?.addEventListener('click', (event) => {
  const chosen = event.target.closest('.shot');
  const main = chosen?.parentElement.firstElementChild;
  if (!chosen || chosen === main || !chosen.href) return;
  event.preventDefault();
  const [fresh, old] = [chosen, main].map((shot) => shot.querySelector('img'));
  [fresh.sizes, old.sizes] = [old.sizes, fresh.sizes];
  main.before(chosen);
});

// Products are suggested while one types.
const find = document.querySelector('[data-suggest]');
if (find) {
  let list;
  let wait;
  const close = () => { list?.remove(); list = null; };
  find.addEventListener('input', () => {
    clearTimeout(wait);
    wait = setTimeout(async () => {
      const term = find.value.trim();
      if (term.length < 2) return close();
      const answer = await fetch(`/api/v1/search?q=${encodeURIComponent(term)}`).catch(() => null);
      if (!answer?.ok || find.value.trim() !== term) return;
      const { data } = await answer.json();
      close();
      if (!data.length) return;
      list = document.createElement('div');
      list.className = 'suggest';
      for (const product of data) {
        const link = document.createElement('a');
        link.href = `/p/${encodeURIComponent(product.slug)}`;
        link.append(product.name, Object.assign(document.createElement('span'), { className: 'quiet', textContent: product.price.formatted }));
        list.append(link);
      }
      find.parentElement.append(list);
    }, 150);
  });
  find.parentElement.addEventListener('keydown', (event) => {
    const links = [...(list?.children ?? [])];
    if (event.key === 'Escape') close();
    if (!links.length || !['ArrowDown', 'ArrowUp'].includes(event.key)) return;
    event.preventDefault();
    const at = links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
    (links[at] ?? find).focus();
  });
  document.addEventListener('click', (event) => { if (!find.parentElement.contains(event.target)) close(); });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !event.target.matches('input, select, textarea')) { event.preventDefault(); find.focus(); }
  });
}

// What is wrong is read out first.
document.querySelector('[role=alert]')?.focus();
