/** What a typed line means: the answer to a question, a key, a command, or words of an action of the palette. */
import { compact } from '../../../core/base/compact.ts'
import { faultCatalogue } from '../../../core/faults/catalogue.ts'
import { containsWords } from '../../../core/traffic/contains-words.ts'
import { contextOf, findBinding, respondToKey } from '../keys/binding.ts'
import { keyBindings } from '../keys/catalogue.ts'
import { paletteEntries } from '../keys/palette.ts'
import type { PaletteEntry } from '../keys/palette-entries.ts'
import { outcomeOf } from '../model/key-outcomes.ts'
import type { Model } from '../model/model.ts'
import { matchPalette } from '../model/palette.ts'
import { isTextPrompt } from '../update/prompt.ts'
import { bindingKeysText } from '../keys/documented-key.ts'
import { type PlainCommand, plainCommands } from './commands.ts'
import { closeEverything, type PlainStep } from './steps.ts'

export type PlainMeaning =
  | { readonly kind: 'steps'; readonly steps: readonly PlainStep[]; readonly readsPane?: true }
  /** Several actions have these words: a number chooses one. */
  | { readonly kind: 'choices'; readonly lines: readonly string[]; readonly ids: readonly string[] }
  | { readonly kind: 'lines'; readonly lines: readonly string[] }

/** Actions that one answer lists. */
const maxChoices = 12

const press =
  (key: string): PlainStep =>
  (model) =>
    respondToKey(keyBindings, model, key.length === 1 ? { key, text: key } : { key })

const type =
  (text: string): PlainStep =>
  () =>
    outcomeOf({ kind: 'typed', text })

const steps = (...list: readonly PlainStep[]): PlainMeaning => ({ kind: 'steps', steps: list })

/** Words that leave a question as it is. */
const leavingWords = ['esc', 'escape', 'no', 'n', 'back', 'cancel']

/** The answer to the open question: a text, or the first letter of a word. A command leaves the question. */
function answerTo({ prompt }: Model, line: string): PlainMeaning {
  const text = line.trim()
  if (text === '') return steps(press('esc'))
  // A command leaves the form, but for the names that are those of faults too: drop, delay, duplicate.
  const isFault = faultCatalogue.some(({ name }) => name === text)
  const isFaultForm = prompt?.kind === 'fault-form' || prompt?.kind === 'fault'
  const meant = isFaultForm && !isFault ? commandIn(line) : undefined
  // Of the line of a fault, and of its fields.
  if (meant) return steps(press('esc'), press('esc'), ...meant.command.steps(meant.text))
  const asLine = prompt?.kind === 'fault-form' ? [press('ctrl-e')] : []
  if (isTextPrompt(prompt?.kind))
    return steps(...asLine, press('ctrl-u'), type(text), press('enter'))
  if (leavingWords.includes(text.toLowerCase())) return steps(press('esc'))
  const command = text.length > 1 ? commandIn(line) : undefined
  if (command) return steps(press('esc'), ...command.command.steps(command.text))
  return steps(press(text.includes(' ') ? text : text.slice(0, 1)))
}

const doEntry = ({ reason, run }: PaletteEntry): PlainMeaning =>
  reason === undefined ? steps(run) : { kind: 'lines', lines: [`Not now: ${reason}`] }

const entryLine = ({ title, reason }: PaletteEntry, index: number): string =>
  `${index + 1}: ${title}${reason === undefined ? '' : `; not now, ${reason}`}`

function choicesOf(entries: readonly PaletteEntry[]): PlainMeaning {
  const shown = entries.slice(0, maxChoices)
  const more = entries.length - shown.length
  return {
    kind: 'choices',
    ids: shown.map(({ id }) => id),
    lines: [
      ...shown.map(entryLine),
      `Type a number to choose${more > 0 ? `, or more words; ${more} more fit` : ''}.`,
    ],
  }
}

/** The action with all these words, exactly or nearly; several are listed. */
function actionNamed(model: Model, line: string): PlainMeaning {
  const entries = paletteEntries(keyBindings, model)
  const test = containsWords(line)
  const exact = entries.filter(({ title }) => title.toLowerCase() === line.trim().toLowerCase())
  const withWords = test ? entries.filter(({ title }) => test(title)) : entries
  const found =
    exact.length > 0
      ? exact
      : withWords.length > 0
        ? withWords
        : matchPalette(model, entries, line).flatMap(
            ({ row }) => entries.find(({ id }) => id === row.id) ?? [],
          )
  const [only] = found
  if (!only)
    return { kind: 'lines', lines: [`No command or action is called "${line.trim()}"; type help.`] }
  return found.length === 1 && withWords.length > 0 ? doEntry(only) : choicesOf(found)
}

/** The command with the longest name that the line begins with, and its argument. */
function commandIn(
  line: string,
): { readonly command: PlainCommand; readonly text: string } | undefined {
  const words = line.trim().split(/\s+/)
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ').toLowerCase()
    const command = plainCommands.find((each) => each.name === name)
    if (command) return { command, text: words.slice(count).join(' ') }
  }
  return undefined
}

const commandText = ({ name, argument }: PlainCommand): string =>
  argument === undefined ? name : `${name} ${argument}`

export const helpLines = (): readonly string[] => [
  'Commands:',
  ...plainCommands.map((command) => `${commandText(command)}: ${command.summary}`),
  'actions [words]: all actions by name; the number of one does it',
  'keys: the keys of the dashboard; a key alone on a line does what it does there',
  'Any words of an action do it. Tab completes, up and down bring lines back, ctrl-c ends.',
]

const keyLines = (): readonly string[] =>
  keyBindings.map((binding) => `${bindingKeysText(binding)}: ${binding.title}`)

/** A key does what it does on the screen: in what is open, else in the pane below. */
function keyMeaning(model: Model, key: string): PlainMeaning {
  const below = !findBinding(keyBindings, contextOf(model), key) && model.overlay !== undefined
  return steps(...(below ? [closeEverything] : []), press(key))
}

export function meaningOf(model: Model, line: string, choices: readonly string[]): PlainMeaning {
  if (model.prompt) return answerTo(model, line)
  const text = line.trim()
  if (text === '') return { kind: 'lines', lines: [] }
  if (text === 'help' || text === '?') return { kind: 'lines', lines: helpLines() }
  if (text === 'keys') return { kind: 'lines', lines: keyLines() }
  const [first = '', ...rest] = text.split(/\s+/)
  if (first === 'actions' || first === ':') {
    const test = containsWords(rest.join(' '))
    return choicesOf(paletteEntries(keyBindings, model).filter(({ title }) => !test || test(title)))
  }
  const id = choices[Number(text) - 1]
  const chosen = id && paletteEntries(keyBindings, model).find((each) => each.id === id)
  if (chosen) return doEntry(chosen)
  const found = commandIn(text)
  if (found) {
    const { name, argument, steps: make, readsPane } = found.command
    if (argument === undefined && found.text !== '')
      return {
        kind: 'lines',
        lines: [
          `${name} takes no more words, and "${found.text}" follows it. Type help, or give the command in another terminal: npx sparring ${text}`,
        ],
      }
    return { kind: 'steps', steps: make(found.text), ...compact({ readsPane }) }
  }
  if (text.length === 1) return keyMeaning(model, text)
  return actionNamed(model, text)
}

/** Whole lines that begin with the text. */
export function completionsFor(model: Model, text: string): readonly string[] {
  if (model.prompt) return []
  const lower = text.toLowerCase()
  const command = commandIn(text)
  const suggested =
    command && /\s/.test(text)
      ? (command.command.suggestions?.(model) ?? []).map(
          (argument) => `${command.command.name} ${argument}`,
        )
      : []
  const names = [...plainCommands.map(({ name }) => name), 'actions', 'keys', 'help']
  const lines = [...names, ...suggested].filter((line) => line.toLowerCase().startsWith(lower))
  const titles = paletteEntries(keyBindings, model)
    .map(({ title }) => title)
    .filter((title) => title.toLowerCase().startsWith(lower))
  return [...new Set(lines.length > 0 ? lines : titles)]
}
