/** The options of a menu item in one line of text: what is read, and what is refused since something else was meant. */
import { expect, test } from 'vitest'
import { MenuItemSettings } from './menu.ts'

const read = (options: string) =>
  MenuItemSettings.safeParse({ externalCode: 'P-1', name: 'Pizza', price: 30, options })

/** Groups as `name min-max: option price; …`. */
function groupsOf(text: string): readonly string[] {
  const { success, data, error } = read(text)
  if (!success) throw new Error(error.message)
  const { options = [] } = data
  return options.map(
    ({ name, min, max, choices }) =>
      `${name} ${min}-${max ?? choices.length}: ${choices.map((each) => `${each.name} ${each.price}`).join('; ')}`,
  )
}

test.each([
  [
    'Size (1-1): Small; Large=5.00 | Extras (0-2): Bacon=4.50; Egg',
    'Size 1-1: Small 0; Large 5 | Extras 0-2: Bacon 4.5; Egg 0',
  ],
  ['Size (1): Small; Large=5,00', 'Size 0-1: Small 0; Large 5'],
  ['Small; Large=5', 'Options 0-2: Small 0; Large 5'],
  ['Molho (opcional): Alho; Barbecue=2', 'Molho (opcional) 0-2: Alho 0; Barbecue 2'],
  ['Volume: 300 ml; 1,5 L; Cola 350; 7 Up', 'Volume 0-4: 300 ml 0; 1,5 L 0; Cola 350 0; 7 Up 0'],
  ['Fillings: Ham, cheese; Tomato, basil=2', 'Fillings 0-2: Ham, cheese 0; Tomato, basil 2'],
])('%s', (text, groups) => {
  expect(groupsOf(text).join(' | ')).toBe(groups)
})

test.each([
  ['Size: small, large +8.00', 'the option "small, large +8.00" has a price without "="'],
  ['Size: small; large +8', 'the option "large +8" has a price without "="'],
  ['Size: small; large 8.00', 'the option "large 8.00" has a price without "="'],
  ['Size: small; large R$ 8', 'the option "large R$ 8" has a price without "="'],
  ['Size: small; large (+8,00)', 'the option "large (+8,00)" has a price without "="'],
  ['Size: small; large: 8', 'the option "large: 8" has a price without "="'],
  [
    'Size: small=1.00, large=8.00',
    'the option "small=1.00, large" has two prices: options are separated by ";"',
  ],
  ['Size: small, large', '"small, large" would be one option: options are separated by ";"'],
  ['Size: small, large=8.00', '"small, large" would be one option: options are separated by ";"'],
  ['Size: small | large=8.00', 'the group "large=8.00" has no name'],
  ['Size 1-1: small; large', '"Size 1-1" says how many can be chosen without brackets'],
  ['Size [1-1]: small; large', '"Size [1-1]" says how many can be chosen without brackets'],
  ['Size (1..2): small; large', '"Size (1..2)" does not say how many can be chosen'],
  ['Size (1-1):', 'the group "Size" has no options'],
])('%s is refused', (text, wrong) => {
  const { error } = read(text)
  expect(JSON.stringify(error?.issues)).toContain(
    JSON.stringify(
      `${wrong}; write it like Size (1-1): Small; Large=5.00 | Extras (0-2): Bacon=4.50; Egg=2.00`,
    ).slice(1, -1),
  )
})
