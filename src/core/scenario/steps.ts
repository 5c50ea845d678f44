/** The steps of a scenario: every word of the language by its name. A step is one key, its kind, with its input. */
import { z } from 'zod'
import { entityWords } from './words/entities.ts'
import { orderWords } from './words/orders.ts'
import { faultWords, sessionWords } from './words/session.ts'
import { checkWord, waitWords } from './words/waits.ts'
import type { StepContext } from './step-context.ts'
import { defineWord, type SaveContext, type SavedAction, type Word } from './words/word.ts'
import type { ItemEdit } from '../engine/agenda/commands.ts'
import { formatDuration } from '../protocol/duration.ts'
import { Item, itemText } from './item.ts'
import { DurationMs, exactlyOne, jsonFields, within } from './shared-shapes.ts'
import type { StepActions } from './step-actions.ts'
import { strictObject } from '../base/lazy-object.ts'

// The words that edit the agenda: hold, drop, delay, move … Items are selected by their properties.

/** Item edits that can be batched (`together`). */
const Edit = strictObject(() => ({
  hold: Item.optional(),
  release: Item.optional(),
  drop: Item.optional(),
  duplicate: Item.optional(),
  delay: Item.extend({ by: DurationMs }).optional(),
})).superRefine(exactlyOne('an edit', ['hold', 'release', 'drop', 'duplicate', 'delay']))

/** The command of an edit, with the item that it selects: at once, or as soon as it is there. */
async function editCommand(
  { hold, release, drop, duplicate, delay }: z.output<typeof Edit>,
  { item }: StepActions,
  withinMs?: number,
): Promise<ItemEdit> {
  if (hold) return { kind: 'agenda.hold', id: (await item(hold, withinMs)).id }
  if (release)
    return { kind: 'agenda.release', id: (await item({ held: true, ...release }, withinMs)).id }
  if (drop) return { kind: 'agenda.drop', id: (await item(drop, withinMs)).id }
  if (duplicate) return { kind: 'agenda.duplicate', id: (await item(duplicate, withinMs)).id }
  const { by: byMs = 0, ...selector } = delay ?? {}
  return { kind: 'agenda.delay', id: (await item(selector, withinMs)).id, byMs }
}

/** An edit as it is saved. */
async function savedEdit(
  edit: ItemEdit,
  { selectorOf }: SaveContext,
): Promise<z.input<typeof Edit> | undefined> {
  const isRelease = edit.kind === 'agenda.release'
  const item = await selectorOf(edit.id, isRelease ? true : undefined)
  if (!item) return undefined
  switch (edit.kind) {
    case 'agenda.hold':
      return { hold: item }
    case 'agenda.release':
      return { release: item }
    case 'agenda.drop':
      return { drop: item }
    case 'agenda.duplicate':
      return { duplicate: item }
    case 'agenda.delay':
      return { delay: { ...item, by: formatDuration(edit.byMs) } }
    default:
      return edit satisfies never
  }
}

const editWord = (kind: 'hold' | 'drop' | 'duplicate', description: string) =>
  defineWord({
    shape: Item.extend({ within }).describe(description),
    text: (selector) => `${kind} ${itemText(selector)}`,
    perform: async ({ within: withinMs, ...selector }, { actions }) =>
      actions.submit(await editCommand({ [kind]: selector }, actions, withinMs)),
    save: {
      [`agenda.${kind}` as const]: async (edit: ItemEdit, context: SaveContext) =>
        (await savedEdit(edit, context))?.[kind],
    },
  })

const undoWord = (kind: 'undo' | 'redo', description: string) =>
  defineWord({
    shape: z.literal(true).describe(description),
    text: () => kind,
    perform: (_, { actions }) => actions.submit({ kind: `agenda.${kind}` }),
    save: {
      [`agenda.${kind}` as const]: ({ past }: { readonly past?: true }) =>
        past ? undefined : (true as const),
    },
  })

const agendaWords = {
  hold: editWord(
    'hold',
    'takes the due time of an item away, until it is released or the steps are over',
  ),
  release: defineWord({
    shape: Item.describe('gives a held item its due time back'),
    text: (selector) => `release ${itemText(selector)}`,
    perform: async (release, { actions }) =>
      actions.submit(await editCommand({ release }, actions, 0)),
    save: { 'agenda.release': async (edit, context) => (await savedEdit(edit, context))?.release },
  }),
  drop: editWord('drop', 'removes an item: it will not happen'),
  duplicate: editWord('duplicate', 'copies an item right behind itself'),
  delay: defineWord({
    shape: Item.extend({ by: DurationMs, within }).describe('puts an item off'),
    text: ({ by, ...selector }) => `delay ${itemText(selector)} by ${formatDuration(by)}`,
    perform: async ({ within: withinMs, ...delay }, { actions }) =>
      actions.submit(await editCommand({ delay }, actions, withinMs)),
    save: { 'agenda.delay': async (edit, context) => (await savedEdit(edit, context))?.delay },
  }),
  move: defineWord({
    shape: Item.extend({
      to: z.enum(['earlier', 'later']).optional().describe('one place'),
      onto: Item.optional().describe('to the place of this other item'),
      within,
    })
      .superRefine(exactlyOne('a move', ['to', 'onto']))
      .describe('moves an item among the others'),
    text: ({ to, onto, ...selector }) =>
      `move ${itemText(selector)} ${onto ? `to the place of ${itemText(onto)}` : to}`,
    async perform({ within: withinMs, to, onto, ...selector }, { actions }) {
      const { id } = await actions.item(selector, withinMs)
      const place = to ?? { place: (await actions.item(onto ?? {}, 0)).id }
      return actions.submit({ kind: 'agenda.move', id, to: place })
    },
    save: {
      async 'agenda.move'({ id, to }, { selectorOf, placeOf }) {
        const item = await selectorOf(id)
        if (!item) return undefined
        if (typeof to === 'string') return { ...item, to }
        const onto = await placeOf(to.place)
        return onto && { ...item, onto }
      },
    },
  }),
  edit: defineWord({
    shape: Item.extend({
      change: jsonFields.describe('the fields that get another value'),
      within,
    }).describe('changes what an item will do'),
    text: (selector) => `edit ${itemText(selector)}`,
    async perform({ within: withinMs, change, ...selector }, { actions }) {
      const { id } = await actions.item(selector, withinMs)
      return actions.submit({ kind: 'agenda.edit', id, change })
    },
    save: {
      async 'agenda.edit'({ id, change }, { selectorOf }) {
        const item = await selectorOf(id)
        return item && { ...item, change: change as z.input<typeof jsonFields> }
      },
    },
  }),
  together: defineWord({
    shape: z
      .array(Edit)
      .min(1)
      .describe('several edits at once, of items as they stood before the first of them'),
    text: ({ length }) => `${length} edits together`,
    async perform(wanted, { actions }) {
      const edits: ItemEdit[] = []
      for (const each of wanted) edits.push(await editCommand(each, actions, 0))
      return actions.submit({ kind: 'agenda.batch', edits })
    },
    save: {
      'agenda.batch': async ({ edits }, context) =>
        allOrNone(await Promise.all(edits.map((edit) => savedEdit(edit, context)))),
    },
  }),
  arrange: defineWord({
    shape: z
      .array(Item)
      .min(2)
      .describe('these items trade their places, to come in the order in which they stand here'),
    text: (selectors) => `arrange ${selectors.map(itemText).join(', ')}`,
    async perform(selectors, { actions }) {
      const order: number[] = []
      for (const each of selectors) order.push((await actions.item(each, 0)).id)
      return actions.submit({ kind: 'agenda.arrange', order })
    },
    save: {
      'agenda.arrange': async ({ order }, { selectorOf }) =>
        allOrNone(await Promise.all(order.map((id) => selectorOf(id)))),
    },
  }),
  undo: undoWord('undo', 'takes the last edit of the agenda back'),
  redo: undoWord('redo', 'redoes the edit that was undone last'),
}

/** The list, if all of it is known. */
function allOrNone<Value>(values: readonly (Value | undefined)[]): Value[] | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length ? known : undefined
}

/** In the order in which schemas and messages name them. */
const words = {
  ...orderWords,
  ...entityWords,
  ...waitWords,
  ...agendaWords,
  ...faultWords,
  check: checkWord,
  ...sessionWords,
}

type StepKind = keyof typeof words
type Shapes = { readonly [Kind in StepKind]: (typeof words)[Kind]['shape'] }
const stepKinds = Object.keys(words) as readonly StepKind[]

export const ScenarioStep = z
  .strictObject(
    Object.fromEntries(stepKinds.map((kind) => [kind, words[kind].shape.optional()])) as {
      [Kind in StepKind]: z.ZodOptional<Shapes[Kind]>
    },
  )
  .meta({ minProperties: 1, maxProperties: 1 })
  .superRefine((step, context) => {
    const named = Object.keys(step)
    if (named.length === 1) return
    context.addIssue({
      code: 'custom',
      message:
        named.length === 0
          ? `a step does one of these: ${stepKinds.join(', ')}`
          : `a step does one thing, and this one does ${named.length} (${named.join(', ')}); write a line of its own for each`,
    })
  })

/** A step as its kind and input. */
export type StepEntry = {
  readonly [Kind in StepKind]: { readonly kind: Kind; readonly input: z.output<Shapes[Kind]> }
}[StepKind]

export function stepEntryOf(step: z.output<typeof ScenarioStep>): StepEntry {
  const [[kind, input] = []] = Object.entries(step)
  return { kind, input } as StepEntry
}

/** The row of a step; its input is of the shape of the row. */
const rowOf = ({ kind }: StepEntry) => words[kind] as unknown as Word<z.ZodType>

/** Description of a step in one line, for output and reports. */
export const stepText = (entry: StepEntry): string => rowOf(entry).text(entry.input)

/** Executes a step; throws `StepFailure` when it is refused or times out. */
export async function performStep(entry: StepEntry, context: StepContext): Promise<void> {
  await rowOf(entry).perform(entry.input, context)
}

/** The step that repeats an action; undefined where no word expresses it. */
export async function savedStep(
  action: SavedAction,
  context: SaveContext,
): Promise<z.input<typeof ScenarioStep> | undefined> {
  for (const kind of stepKinds) {
    const { save = {} }: Word<z.ZodType> = words[kind] as unknown as Word<z.ZodType>
    const input = await save[action.kind]?.(action as never, context)
    if (input !== undefined) return { [kind]: input }
  }
  return undefined
}
