/** The contexts that rows of the table of keys name most. */
import type { Context } from '../binding.ts'
import { paneIds } from '../layout.ts'

export const panes: readonly Context[] = paneIds

/** In the pane of one order digits are its moves, so they go to no other pane. */
export const notOrder: readonly Context[] = paneIds.filter((id) => id !== 'order')

export const texts: readonly Context[] = ['detail', 'help']

export const prompts: readonly Context[] = ['filter', 'new-order', 'move', 'force', 'quit']

export const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
