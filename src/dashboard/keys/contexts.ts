/** Groups of contexts shared by several bindings. */
import type { KeyContext } from './binding.ts'
import { paneIds } from '../model/layout.ts'

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

/** Text prompts. */
export const lineContexts: readonly KeyContext[] = [
  'filter',
  'search',
  'fault',
  'fault-form',
  'save',
  'palette',
  'export',
]

export const promptContexts: readonly KeyContext[] = [
  ...lineContexts,
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
