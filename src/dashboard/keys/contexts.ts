/** The contexts that rows of the table of keys name most. */
import type { Context } from './binding.ts'
import { paneIds } from '../model/layout.ts'

export const panes: readonly Context[] = [...paneIds, 'tape']

/** In the pane of one order digits are its moves, so they go to no other pane. */
export const notOrder: readonly Context[] = panes.filter((id) => id !== 'order')

/** In the agenda these keys select a range. */
export const notAgenda: readonly Context[] = paneIds.filter((id) => id !== 'agenda')

/** Where a recording has its own keys for these. */
export const notTape: readonly Context[] = paneIds

/** Lists that cover the panes: one of their lines is chosen. */
export const lists: readonly Context[] = ['faults', 'verdicts', 'verdict', 'story', 'beside']

/** All that covers the panes. */
export const texts: readonly Context[] = ['detail', 'help', 'message', ...lists]

/** Lines that a person types. */
export const lines: readonly Context[] = ['filter', 'fault', 'save', 'seek', 'export']

export const prompts: readonly Context[] = [
  ...lines,
  'new-order',
  'move',
  'force',
  'quit',
  'overwrite',
  'mend',
  'fork',
  'ignore',
]

export const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
