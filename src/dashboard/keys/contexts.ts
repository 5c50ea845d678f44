/** Groups of contexts shared by several bindings. */
import type { KeyContext } from './binding.ts'
import { paneIds } from '../model/layout.ts'
import { textPrompts } from '../update/prompt.ts'

export const paneContexts: readonly KeyContext[] = [...paneIds, 'tape']

/** For keys of what a recording does not have. */
export const paneContextsExceptRecording: readonly KeyContext[] = paneIds

/** List overlays with a cursor. */
export const listContexts: readonly KeyContext[] = [
  'faults',
  'verdicts',
  'verdict',
  'story',
  'contact',
  'beside',
]

/** All overlays. */
export const overlayContexts: readonly KeyContext[] = ['detail', 'help', 'message', ...listContexts]

export const promptContexts: readonly KeyContext[] = [
  ...textPrompts,
  'copy',
  'new-order',
  'move',
  'force',
  'quit',
  'overwrite',
  'mend',
  'fork',
  'ignore',
]

export const digitKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
