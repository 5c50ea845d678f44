/**
 * Script of every HTML page: filters, and links that open what they lead to. Without it everything is still there.
 *
 * A control with `data-filter="area"` filters the elements with `data-item` by their `data-area`, a list of words that are
 * separated by spaces: a select keeps those that have its value, checkboxes those that have one of the checked values. An item
 * without that attribute is not filtered by it. With `data-only="failed"` a checkbox keeps the items with `data-failed`, and the
 * search box those whose text has every word; these two are for items with `data-searched`. What stands for an item elsewhere, as
 * an arrow of a diagram, names its id in `data-of`, and is dimmed while the item is hidden.
 */

export const pageScript = `
const all = (selector) => [...document.querySelectorAll(selector)]
const items = all('[data-item]')
const search = document.querySelector('#search')
const controls = all('[data-filter]')
const onlys = all('[data-only]')
const count = document.querySelector('#count')
const texts = new Map()
const standIns = new Map()
for (const each of all('[data-of]'))
  standIns.set(each.dataset.of, [...(standIns.get(each.dataset.of) ?? []), each])
const textOf = (item) => {
  if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase())
  return texts.get(item)
}
function filter() {
  const words = search ? search.value.toLowerCase().split(/\\s+/).filter(Boolean) : []
  const names = [...new Set(controls.map((each) => each.dataset.filter))]
  const wanted = names.map((name) => {
    const own = controls.filter((each) => each.dataset.filter === name)
    const boxes = own.filter((each) => each.type === 'checkbox')
    const picked = own.filter((each) => each.type !== 'checkbox' && each.value !== '')
    return {
      name,
      fits: (values) =>
        (boxes.length === 0 || boxes.some((each) => each.checked && values.includes(each.value))) &&
        picked.every((each) => values.includes(each.value)),
    }
  })
  let visible = 0
  let counted = 0
  for (const each of items) {
    const isSearched = 'searched' in each.dataset
    const isShown =
      wanted.every(({ name, fits }) => !(name in each.dataset) || fits(each.dataset[name].split(' '))) &&
      (!isSearched || onlys.every((only) => !only.checked || only.dataset.only in each.dataset)) &&
      (!isSearched || words.length === 0 || words.every((word) => textOf(each).includes(word)))
    each.hidden = !isShown
    for (const other of standIns.get(each.id) ?? []) other.classList.toggle('off', !isShown)
    if (isSearched) counted++
    if (isSearched && isShown) visible++
  }
  if (count) count.textContent = visible + ' of ' + counted
}
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1))
  if (!target) return
  target.hidden = false
  for (let each = target; each; each = each.parentElement)
    if (each.tagName === 'DETAILS') each.open = true
  target.scrollIntoView()
}
let waiting
const filterSoon = () => {
  clearTimeout(waiting)
  waiting = setTimeout(filter, items.length > 500 ? 150 : 0)
}
for (const each of [...controls, ...onlys]) each.addEventListener('input', filter)
if (search) search.addEventListener('input', items.length > 500 ? filterSoon : filter)
addEventListener('hashchange', openTarget)
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link && link.getAttribute('href') === location.hash) openTarget()
})
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input[type=search], select') !== null
  if (event.key === '/' && !isTyping && search) {
    event.preventDefault()
    search.focus()
  }
  if (event.key === 'Escape' && event.target === search) {
    search.value = ''
    filter()
  }
})
filter()
openTarget()
`
