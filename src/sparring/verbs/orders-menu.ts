/** `sparring orders menu`: the merchants of a session, and what they sell. */
import { compact } from '../../core/base/compact.ts'
import { problem } from '../../core/base/problem.ts'
import type { MenuRow, MerchantRow } from '../../core/session-api/menu.ts'
import { limitFlag } from '../../terminal/cli/flags.ts'
import { printLine } from '../../terminal/cli/io.ts'
import { printTable } from './support/table.ts'
import { defineSessionVerb } from './support/session-verb.ts'

const defaultMenuLimit = 200

export const ordersMenuVerb = defineSessionVerb({
  name: 'menu',
  summary: 'what orders are made up from: the merchants, or the items that one of them sells',
  arguments: [{ name: 'merchant', summary: 'its id, code or name; its items are listed then' }],
  flags: [{ ...limitFlag, summary: `this many items at most (default: ${defaultMenuLimit})` }],
  async run({ merchant, limit = defaultMenuLimit }, { connect, print, io }) {
    const { menu, problem: unknown } = await (
      await connect()
    ).look({
      menu: compact({ limit, merchant }),
    })
    if (!menu || unknown !== undefined)
      throw problem('reading the menu', unknown ?? 'this session makes up no orders', '')
    const { merchants, items } = menu
    return print(menu, async () => {
      if (merchants.length === 1) return printTable(io, items, itemColumns, 'no items')
      await printTable(io, merchants, merchantColumns, 'no merchants')
      return printLine(io.stderr, 'sparring orders menu <merchant> lists what one of them sells')
    })
  },
})

const merchantColumns = [
  { title: 'MERCHANT', cell: ({ name }: MerchantRow) => name },
  { title: 'CODE', cell: ({ externalCode }: MerchantRow) => externalCode },
  { title: 'ID', cell: ({ id }: MerchantRow) => id },
  { title: 'STATUS', cell: ({ status }: MerchantRow) => status },
  { title: 'ITEMS', cell: ({ items }: MerchantRow) => items, right: true },
] as const

const optionsText = ({ options }: MenuRow): string | undefined =>
  options.length === 0
    ? undefined
    : options
        .map(({ group, min, max, choices }) => {
          const texts = choices.map(({ name, price }) =>
            price === 0 ? name : `${name}=${price.toFixed(2)}`,
          )
          return `${group} (${min}-${max}): ${texts.join('; ')}`
        })
        .join(' | ')

const itemColumns = [
  { title: 'CODE', cell: ({ externalCode }: MenuRow) => externalCode },
  { title: 'ITEM', cell: ({ name }: MenuRow) => name },
  {
    title: 'PRICE',
    cell: ({ price, unit }: MenuRow) => `${price.toFixed(2)}${unit === 'KG' ? '/kg' : ''}`,
    right: true,
  },
  { title: 'CATEGORY', cell: ({ category }: MenuRow) => category },
  { title: 'OPTIONS', cell: optionsText },
] as const
