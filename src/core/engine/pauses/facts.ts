/** The fact of a pause. It changes nothing in the world: the code that began the pause reads it, and continues. */
import { factRow } from '../fact-row.ts'
import { goesOn, type PauseTarget } from './commands.ts'

export const pauseFacts = {
  /** A pause ended. */
  'pause.ended': factRow<{ pause: number; whose: PauseTarget }>({
    text: ({ whose }) => goesOn(whose),
  }),
}
