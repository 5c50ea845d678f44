/**
 * Commands that edit the agenda. `agenda.plan`, which holds a command of any kind, stands with the table of them all.
 */
import { z } from 'zod'
import { Duration } from '../../protocol/duration.ts'
import { type CommandIn, commandRow, commandSchema, trueField } from '../command-row.ts'

const itemId = z.int().min(1)
/** Maximum number of items in one command. */
const maxItems = 10_000
const oneItem = () => ({ id: itemId })

/** An edit that concerns a single item: several of them can form one undo step. */
const itemEdits = {
  /** Holds an item: it no longer comes due. */
  'agenda.hold': commandRow({ shape: oneItem, text: ({ id }) => `hold item ${id}` }),
  /** Releases a held item: due at its former time, or now if that is past. */
  'agenda.release': commandRow({ shape: oneItem, text: ({ id }) => `release item ${id}` }),
  /** Removes an item without running it. */
  'agenda.drop': commandRow({ shape: oneItem, text: ({ id }) => `drop item ${id}` }),
  /** Copies an item right behind the original. */
  'agenda.duplicate': commandRow({ shape: oneItem, text: ({ id }) => `duplicate item ${id}` }),
  /** Postpones an item. */
  'agenda.delay': commandRow({
    shape: () => ({ id: itemId, byMs: Duration }),
    text: ({ id }) => `delay item ${id}`,
  }),
}

export type ItemEdit = CommandIn<typeof itemEdits>

const itemEdit = (): z.ZodType<ItemEdit> => commandSchema(itemEdits)

export const agendaCommands = {
  ...itemEdits,
  /** Moves an item one position, or to the position of another item. */
  'agenda.move': commandRow({
    shape: () => ({
      id: itemId,
      to: z.union([z.enum(['earlier', 'later']), z.strictObject({ place: itemId })]),
    }),
    text: ({ id }) => `move item ${id}`,
  }),
  /** Changes fields of the item's command. */
  'agenda.edit': commandRow({
    shape: () => ({ id: itemId, change: z.record(z.string(), z.unknown()) }),
    text: ({ id }) => `edit item ${id}`,
  }),
  /** Puts items into this order: they exchange the positions that they have. */
  'agenda.arrange': commandRow({
    shape: () => ({ order: z.array(itemId).max(maxItems) }),
    text: ({ order }) => `reorder ${order.length} items`,
  }),
  /** Several edits at once, all or none; undone as one step. */
  'agenda.batch': commandRow({
    shape: () => ({ edits: z.array(itemEdit()).max(maxItems) }),
    text: ({ edits }) =>
      `${edits[0]?.kind.slice('agenda.'.length) ?? 'edit'} ${edits.length} items`,
  }),
  /** Undoes the last edit by hand; `past` skips steps that can no longer be undone. */
  'agenda.undo': commandRow({
    shape: () => ({ past: trueField }),
    text: () => 'undo what was last done by hand',
  }),
  /** Redoes the last undone step. */
  'agenda.redo': commandRow({
    shape: () => ({ past: trueField }),
    text: () => 'do again what was undone last',
  }),
}

/** The edits of the agenda; `agenda.plan` is none of them. */
export type AgendaCommand = CommandIn<typeof agendaCommands>
