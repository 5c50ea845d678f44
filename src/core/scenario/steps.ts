/** The steps of a scenario: every word of the language by its name. A step is one key, its kind, with its input. */
import { z } from 'zod'
import { agendaWords } from './words/agenda.ts'
import { orderWords } from './words/orders.ts'
import { faultWords, sessionWords } from './words/session.ts'
import { checkWord, waitWords } from './words/waits.ts'
import type { StepContext } from './step-context.ts'
import type { SaveContext, SavedAction, Word } from './words/word.ts'

/** In the order in which schemas and messages name them. */
const words = {
  ...orderWords,
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
