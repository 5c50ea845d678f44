/**
 * The options of a menu item in one line of text, as a cell of a table holds them:
 * `Size (1-1): Small; Large=5.00 | Extras (0-2): Bacon=4.50; Cheese=3.00`.
 */
import { err, ok, type Result } from '../../protocol/result.ts'

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

export const optionsTextExample = 'Size (1-1): Small; Large=5.00 | Extras (0-2): Bacon=4.50'

const defaultGroupName = 'Options'
const head = /^([^:(]+?)\s*(?:\(\s*(\d+)\s*(?:-\s*(\d+)\s*)?\))?\s*:(.*)$/s

function choiceOf(text: string): Result<ParsedChoice, string> {
  const at = text.lastIndexOf('=')
  const name = (at < 0 ? text : text.slice(0, at)).trim()
  if (name === '') return err('an option has no name')
  return ok(at < 0 ? { name } : { name, price: text.slice(at + 1).trim() })
}

function groupOf(text: string): Result<ParsedGroup, string> {
  const [, name, first, second, rest = text] = head.exec(text) ?? []
  const choices: ParsedChoice[] = []
  for (const part of rest.split(';').filter((each) => each.trim() !== '')) {
    const choice = choiceOf(part)
    if (!choice.ok) return choice
    choices.push(choice.value)
  }
  if (choices.length === 0) return err(`the group "${name ?? text.trim()}" has no options`)
  const min = second === undefined ? undefined : Number(first)
  const max = second ?? first
  return ok({
    name: name?.trim() ?? defaultGroupName,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max: Number(max) }),
    choices,
  })
}

/** Groups are separated by `|`, options by `;`. Prices are left as texts, for the schema to check. */
export function parseOptionsText(text: string): Result<ParsedGroup[], string> {
  const groups: ParsedGroup[] = []
  for (const part of text.split('|').filter((each) => each.trim() !== '')) {
    const group = groupOf(part.trim())
    if (!group.ok) return group
    groups.push(group.value)
  }
  return ok(groups)
}
