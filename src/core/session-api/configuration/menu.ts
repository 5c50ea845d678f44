/**
 * Configuration of the user's own merchants and menus, from which orders are made up in place of the built-in ones: the
 * rows of `merchants` and `menu`, in the configuration or in files beside it.
 */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { err, ok, type Result } from '../../protocol/result.ts'

/**
 * The options of a menu item in one line of text, as a cell of a table holds them: `Size (1-1): Small; Large=5.00 |
 * Extras (0-2): Bacon=4.50; Cheese=3.00`.
 */
interface ParsedChoice {
  readonly name: string
  readonly price?: string | undefined
}

interface ParsedGroup {
  readonly name: string
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly choices: ParsedChoice[]
}

const optionsTextExample = 'Size (1-1): Small; Large=5.00 | Extras (0-2): Bacon=4.50; Egg=2.00'

const defaultGroupName = 'Options'
const head = /^([^:(]+?)\s*(?:\(\s*(\d+)\s*(?:-\s*(\d+)\s*)?\))?\s*:(.*)$/s
/** `Sauce (if you like): …`: what is in the brackets is part of the name. */
const headInWords = /^([^:(]+\([^\d)]*\)[^:(\d]*?)\s*:(.*)$/s

/** Texts that are no name, since something else was meant, and how it is written. */
const misreadNames: readonly (readonly [pattern: RegExp, meant: string])[] = [
  [/=/, 'has two prices: options are separated by ";"'],
  [/(?:\+|R\$|[$€£]|:)\s*\d+(?:[.,]\d+)?\s*\)?$/, 'has a price without "="'],
  [/(?:^|[\s(])\d+[.,]\d\d\s*\)?$/, 'has a price without "="'],
]

const problemOfName = (name: string): string | undefined => {
  const [, meant] = misreadNames.find(([pattern]) => pattern.test(name)) ?? []
  return meant && `the option "${name}" ${meant}`
}

function choiceOf(text: string): Result<ParsedChoice, string> {
  const at = text.lastIndexOf('=')
  const name = (at < 0 ? text : text.slice(0, at)).trim()
  if (name === '') return err('an option has no name')
  const wrong = problemOfName(name)
  if (wrong !== undefined) return err(wrong)
  return ok(at < 0 ? { name } : { name, price: text.slice(at + 1).trim() })
}

/** Name, bounds and options of a group as texts. */
function splitGroup(text: string): Result<readonly (string | undefined)[], string> {
  const [, name, first, second, rest] = head.exec(text) ?? []
  if (name !== undefined && /[\s[]\d+\s*-\s*\d+\]?$/.test(name))
    return err(`"${name}" says how many can be chosen without brackets`)
  if (name !== undefined) return ok([name.trim(), first, second, rest])
  const inWords = headInWords.exec(text)
  if (inWords) return ok([inWords[1]?.trim(), undefined, undefined, inWords[2]])
  return text.includes(':')
    ? err(`"${text.slice(0, text.indexOf(':'))}" does not say how many can be chosen`)
    : ok([undefined, undefined, undefined, text])
}

function groupOf(text: string, isAlone: boolean): Result<ParsedGroup, string> {
  const split = splitGroup(text)
  if (!split.ok) return split
  const [name, first, second, rest = ''] = split.value
  if (name === undefined && !isAlone) return err(`the group "${text}" has no name`)
  const parts = rest.split(';').filter((each) => each.trim() !== '')
  const choices: ParsedChoice[] = []
  for (const part of parts) {
    const choice = choiceOf(part)
    if (!choice.ok) return choice
    choices.push(choice.value)
  }
  const [only] = choices
  if (only === undefined) return err(`the group "${name ?? text.trim()}" has no options`)
  if (choices.length === 1 && only.name.includes(','))
    return err(`"${only.name}" would be one option: options are separated by ";"`)
  const min = second === undefined ? undefined : Number(first)
  const max = second ?? first
  return ok({
    name: name ?? defaultGroupName,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max: Number(max) }),
    choices,
  })
}

/** Groups are separated by `|`, options by `;`. Prices are left as texts, for the schema to check. */
function parseOptionsText(text: string): Result<ParsedGroup[], string> {
  const groups: ParsedGroup[] = []
  const parts = text.split('|').filter((each) => each.trim() !== '')
  for (const part of parts) {
    const group = groupOf(part.trim(), parts.length === 1)
    if (!group.ok) return group
    groups.push(group.value)
  }
  return ok(groups)
}

const Name = z.string().trim().min(1).max(200)

/** A code or an id. Spreadsheets and YAML turn some into numbers. */
const Code = z
  .union([z.string().trim().min(1).max(200), z.int().min(0)])
  .transform((code) => String(code))

const maxPrice = 1_000_000
const priceExample = 'write it like 25.90'

/** Why a value is no price; undefined when it is one. Whole cents only, so that all sums of an order are exact. */
function priceProblem(value: string | number): string | undefined {
  const text = String(value).trim()
  if (!/^\d+(?:[.,]\d+)?$/.test(text)) return `${JSON.stringify(value)} is no price`
  if (/[.,]\d{3,}$/.test(text)) return `${text} has more than two decimals`
  return amountOf(text) > maxPrice ? `${text} is more than ${maxPrice}` : undefined
}

/** With a decimal point or a decimal comma. */
const amountOf = (text: string): number => Number(text.replace(',', '.'))

const Amount = z
  .union([z.number(), z.string()], {
    error: ({ input }) =>
      `${input === undefined ? 'it is missing' : `${JSON.stringify(input)} is no price`}; ${priceExample}`,
  })
  .transform((value, context) => {
    const wrong = priceProblem(value)
    if (wrong === undefined) return amountOf(String(value).trim())
    context.issues.push({ code: 'custom', input: value, message: `${wrong}; ${priceExample}` })
    return z.NEVER
  })

const MenuChoice = strictObject(() => ({
  name: Name.describe('name of the option'),
  externalCode: Code.optional().describe(
    'code of the option in your system; orders carry it as the id of the option',
  ),
  price: Amount.default(0).describe('what one of it adds to the price of the item'),
  max: z.int().min(1).max(99).default(1).describe('how many of it one item can have'),
  get options() {
    return z.array(OptionGroupSettings).optional().describe('groups of options of this option')
  },
}))

const OptionGroupSettings = strictObject(() => ({
  name: Name.describe('name of the group, such as Size or Extras'),
  min: z.int().min(0).default(0).describe('how many different options must be chosen'),
  max: z
    .int()
    .min(1)
    .optional()
    .describe('how many different options can be chosen; all of them when absent'),
  choices: z.array(MenuChoice).min(1).max(200).describe('the options of the group'),
})).check(({ value: { min, max, choices }, issues }) => {
  const most = max ?? choices.length
  if (min > most || most > choices.length)
    issues.push({
      code: 'custom',
      input: max,
      path: ['max'],
      message: `at least ${min} and at most ${most} of ${choices.length} options cannot be chosen`,
    })
})

const OptionsText = z
  .string()
  .transform((text, context): z.input<typeof OptionGroupSettings>[] => {
    const parsed = parseOptionsText(text)
    if (parsed.ok) return parsed.value
    context.issues.push({
      code: 'custom',
      input: text,
      message: `${parsed.error}; write it like ${optionsTextExample}`,
    })
    return z.NEVER
  })
  .pipe(z.array(OptionGroupSettings))

export const MenuItemSettings = strictObject(() => ({
  externalCode: Code.describe(
    'code of the item in your system (PLU, SKU): orders carry it as items[].externalCode',
  ),
  name: Name.describe('name of the item'),
  price: Amount.describe('price of one unit, such as 25.90'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'it is no currency; write its three letters, such as BRL')
    .default('BRL')
    .describe('ISO 4217 code; one merchant has one currency'),
  category: Name.optional().describe('section of the menu'),
  description: z.string().max(2000).optional().describe('text for the customer'),
  unit: z
    .enum(['UN', 'KG'])
    .default('UN')
    .describe('UN: sold by the piece; KG: by weight, and the price is that of a kilogram'),
  originalPrice: Amount.optional().describe('regular price, when the item is on offer'),
  options: z
    .union([OptionsText, z.array(OptionGroupSettings)])
    .optional()
    .describe(`groups of options (modifiers), or one line of text: ${optionsTextExample}`),
  merchant: Code.optional().describe(
    'id or externalCode of the merchant that sells it; when absent, every merchant without a menu of its own does',
  ),
}))
export type MenuItemSettings = z.infer<typeof MenuItemSettings>

/** Adds an issue for each entry whose key an earlier entry has already. */
const uniqueBy =
  <Field extends string, Entry extends Readonly<Record<Field, string>>>(
    field: Field,
    keyOf: (entry: Entry) => string,
  ) =>
  ({ value, issues }: { value: Entry[]; issues: z.core.$ZodRawIssue[] }): void => {
    const first = new Map<string, number>()
    for (const [index, entry] of value.entries()) {
      const key = keyOf(entry)
      const earlier = first.get(key)
      if (earlier === undefined) first.set(key, index)
      else
        issues.push({
          code: 'custom',
          input: entry,
          path: [index, field],
          message: `entry ${index + 1} of the list has the ${field} ${entry[field]} of entry ${earlier + 1}, and each needs its own`,
        })
    }
  }

const maxItems = 5000

/** The same code may stand once for each merchant. */
export const MenuList = z
  .array(MenuItemSettings)
  .min(1)
  .max(maxItems)
  .check(
    uniqueBy('externalCode', ({ merchant = '', externalCode }) =>
      JSON.stringify([merchant, externalCode]),
    ),
  )

const FileName = z.string().trim().min(1)

export const MerchantSettings = strictObject(() => ({
  id: Code.describe(
    'its id: orders carry it as merchant.id, and your service polls with it in x-polling-merchants',
  ),
  name: Name.describe('its name'),
  externalCode: Code.optional().describe('its code in your system; its id when absent'),
  status: z
    .enum(['OPEN', 'CLOSED', 'PAUSED'])
    .default('OPEN')
    .describe(
      'what GET /merchants says of it; orders are made up for open merchants, and for others on request',
    ),
  address: z
    .strictObject({
      street: z.string().optional(),
      number: Code.optional(),
      complement: z.string().optional(),
      neighborhood: z.string().optional(),
      city: z.string().optional(),
      state: z.string().optional(),
      postalCode: Code.optional(),
      latitude: z.coerce.number().min(-90).max(90).optional(),
      longitude: z.coerce.number().min(-180).max(180).optional(),
    })
    .optional()
    .describe('where couriers pick its orders up; made up when absent'),
  menu: z
    .union([FileName, MenuList])
    .optional()
    .describe('what it alone sells: a list as in `menu`, or the name of a CSV, JSON or YAML file'),
}))

export type MerchantSettings = z.infer<typeof MerchantSettings>

const maxMerchants = 200

export const OwnMerchantList = z
  .array(MerchantSettings)
  .min(1)
  .max(maxMerchants)
  .check(uniqueBy('id', ({ id }) => id))

export const MerchantsSetting = z
  .union([FileName, OwnMerchantList])
  .meta({ example: [{ id: 'store-1', name: 'Sushi da Vila' }] })
  .describe(
    'your merchants in place of the made-up ones: a list, or the name of a CSV, JSON or YAML file beside the configuration; columns of CSV: id, name, and as needed externalCode, status, menu, street, number, complement, neighborhood, city, state, postalCode, latitude, longitude',
  )

export const MenuSetting = z
  .union([FileName, MenuList])
  .meta({
    example: [
      {
        externalCode: 'P-101',
        name: 'Pizza Margherita',
        price: 25.9,
        options: optionsTextExample,
      },
    ],
  })
  .describe(
    'the items that orders are made up from: a list, or the name of a CSV, JSON or YAML file beside the configuration; columns of CSV: externalCode (or plu, sku, code), name, price, and as needed category, description, unit, currency, originalPrice, options (or modifiers), merchant; options are a list, or one line of text with groups, how many can be chosen, and prices: Size (1-1): Small; Large=5.00 | Extras (0-2): Bacon=4.50; Egg=2.00',
  )
