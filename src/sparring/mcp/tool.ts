/** A tool as an agent sees it, made of a row and of the tables of its verbs. */
import type { ArgumentRow, FlagRow, Verb } from '../../terminal/cli/verb.ts'
import { flagsWithoutArgument, type ToolRow, toolRows } from './tool-rows.ts'

/** One of the verbs of a tool. */
export interface ToolVerb {
  /** The value of the tool's choice. */
  readonly word: string
  /** As it is typed, such as `orders create`. */
  readonly path: string
  readonly verb: Verb
  readonly arguments: readonly ArgumentRow[]
  readonly flags: readonly FlagRow[]
  /** It talks to a running session. */
  readonly hasSession: boolean
}

export interface Tool {
  readonly row: ToolRow
  readonly verbs: readonly ToolVerb[]
}

/** The verb that is typed with these words. */
function verbAt(path: string, verbs: readonly Verb[]): Verb {
  const [first, second] = path.split(' ')
  const outer = verbs.find(({ name }) => name === first)
  const verb = second === undefined ? outer : outer?.verbs.find(({ name }) => name === second)
  if (verb === undefined) throw new Error(`there is no verb ${path}`)
  return verb
}

function toolVerb(row: ToolRow, path: string, verb: Verb): ToolVerb {
  const { without = [], fixed = {}, document, sessionArgument } = row
  const words = path.split(' ')
  // The groups of entities differ in the first word, all others in the last.
  const differing = row.verbs.every((each) => each.split(' ').at(-1) === words.at(-1))
  const isShown = ({ name }: { readonly name: string }): boolean =>
    !without.includes(name) &&
    !Object.hasOwn(fixed, name) &&
    name !== document?.insteadOf &&
    name !== sessionArgument
  return {
    word: (differing ? words[0] : words.at(-1)) ?? path,
    path,
    verb,
    arguments: verb.arguments.filter(isShown),
    flags: verb.flags.filter(
      (flag) => isShown(flag) && !Object.hasOwn(flagsWithoutArgument, flag.name),
    ),
    hasSession: sessionArgument !== undefined || verb.flags.some(({ name }) => name === 'control'),
  }
}

/** The tools of these rows. */
export const createTools = (
  verbs: readonly Verb[],
  rows: readonly ToolRow[] = toolRows,
): readonly Tool[] =>
  rows.map((row) => ({
    row,
    verbs: row.verbs.map((path) => toolVerb(row, path, verbAt(path, verbs))),
  }))

/** Paragraphs of the help that are about the command line: examples, exit codes, the terminal. */
const commandLineParagraph = /^(?:Examples?:|Exits? |On a terminal|--json |order\.json )/

/** What the verb's help says after its summary, without what is about the command line. */
const detailsOf = ({ details = '' }: Verb): readonly string[] =>
  details
    .trim()
    .split('\n\n')
    .filter((paragraph) => paragraph !== '' && !commandLineParagraph.test(paragraph))
    .map((paragraph) => paragraph.replaceAll('\n', ' '))

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The description of a tool: the summary of its verb and what its help says. */
export function toolDescription({ row, verbs }: Tool): string {
  const [first] = verbs
  const summary = row.summary ?? first?.verb.summary ?? ''
  // Several verbs have a help each.
  const details = first && verbs.length === 1 ? detailsOf(first.verb) : []
  return [`${capitalised(summary)}.`, ...details].join('\n\n')
}
