/** Groups of contexts shared by several bindings. */
import type { Context } from './binding.ts'
import { paneIds } from '../model/layout.ts'

export const panes: readonly Context[] = [...paneIds, 'tape']

/** Digits are moves in the pane of one order, so they cannot select panes there. */
export const notOrder: readonly Context[] = panes.filter((id) => id !== 'order')

/** In the agenda these keys select a range. */
export const notAgenda: readonly Context[] = paneIds.filter((id) => id !== 'agenda')

/** For keys that have another meaning in a recording. */
export const notTape: readonly Context[] = paneIds

/** List overlays with a cursor. */
export const lists: readonly Context[] = ['faults', 'verdicts', 'verdict', 'story', 'beside']

/** All overlays. */
export const texts: readonly Context[] = ['detail', 'help', 'message', ...lists]

/** Text prompts. */
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
