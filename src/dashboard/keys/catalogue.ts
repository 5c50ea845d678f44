/**
 * All key bindings. Help and footer are generated from this table, so every key is documented. No binding needs alt, a
 * function key or ctrl-enter: many terminals never send those.
 */
import type { Binding } from './binding.ts'
import { agendaKeys } from './agenda.ts'
import { judgingKeys } from './judging.ts'
import { leavingKeys } from './leaving.ts'
import { lookingKeys } from './looking.ts'
import { orderingKeys } from './ordering.ts'
import { recordingKeys } from './recording.ts'
import { savingKeys } from './saving.ts'
import { timingKeys } from './timing.ts'

/** In the order of the footer. */
export const keys: readonly Binding[] = [
  ...agendaKeys,
  ...recordingKeys,
  ...savingKeys,
  ...timingKeys,
  ...orderingKeys,
  ...judgingKeys,
  ...lookingKeys,
  ...leavingKeys,
]
