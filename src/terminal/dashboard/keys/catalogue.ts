/**
 * All key bindings. Help and footer are generated from this table, so every key is documented. No binding needs alt, a
 * function key or ctrl-enter: many terminals never send those.
 */
import type { KeyBinding } from './binding.ts'
import { agendaKeys } from './agenda.ts'
import { faultFormKeys } from './fault-form.ts'
import { faultAndVerdictKeys } from './faults-and-verdicts.ts'
import { quitKeys } from './quitting.ts'
import { navigationKeys } from './navigation.ts'
import { copyKeys } from './copy.ts'
import { orderKeys } from './orders.ts'
import { paletteKeys } from './palette.ts'
import { recordingKeys } from './recording.ts'
import { undoAndSaveKeys } from './undo-and-save.ts'
import { trafficKeys } from './traffic.ts'
import { clockKeys } from './clock.ts'

/** In the order of the footer. */
export const keyBindings: readonly KeyBinding[] = [
  ...agendaKeys,
  ...recordingKeys,
  ...undoAndSaveKeys,
  ...clockKeys,
  ...orderKeys,
  ...faultAndVerdictKeys,
  ...faultFormKeys,
  ...paletteKeys,
  ...copyKeys,
  ...navigationKeys,
  ...trafficKeys,
  ...quitKeys,
]
