/**
 * A word of the scenario language, as one row: schema of its input, description, action, and the form in which it is
 * saved.
 */
import type { z } from 'zod'
import type { Command } from '../../engine/command.ts'
import type { OperatorAction } from '../../session-api/session-api.ts'
import type { ItemSelector } from '../item.ts'
import type { SavedNames } from '../save-names.ts'
import type { StepContext } from '../step-context.ts'

/** What an operator did, or had the engine do. */
export type SavedAction = Command | Exclude<OperatorAction['what'], { readonly kind: 'command' }>

/** How a saved step names orders, events and items. */
export interface SaveContext {
  readonly names: SavedNames
  /** Selector of an item that the action is about; `held`: among held items only. */
  readonly selectorOf: (id: number, held?: true) => Promise<ItemSelector | undefined>
  /** Selector of another item, whose place an item takes. */
  readonly placeOf: (id: number) => Promise<ItemSelector | undefined>
}

type Saved<Input> = Input | undefined | Promise<Input | undefined>

export interface Word<Shape extends z.ZodType> {
  readonly shape: Shape
  /** The step in one line, for output and reports. */
  readonly text: (input: z.output<Shape>) => string
  /** Throws a `StepFailure` when the step is refused or times out. */
  readonly perform: (input: z.output<Shape>, context: StepContext) => Promise<unknown>
  /**
   * The input of the step that repeats an action, by the kind of the action; undefined where the word cannot express
   * it.
   */
  readonly save?: {
    readonly [Kind in SavedAction['kind']]?: (
      action: Extract<SavedAction, { readonly kind: Kind }>,
      context: SaveContext,
    ) => Saved<z.input<Shape>>
  }
}

export const defineWord = <Shape extends z.ZodType>(row: Word<Shape>): Word<Shape> => row
