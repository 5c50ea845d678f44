/** By which channel and faults each defect of the demo service shows; a defect without a row shows by itself. */
import type { DefectName } from '../../demo/defects.ts'

interface Exposure {
  readonly channel?: 'polling' | 'webhook' | 'both'
  readonly faults?: readonly string[]
}

export const exposures: Readonly<Partial<Record<DefectName, Exposure>>> = {
  'forgets-event-ids': { faults: ['duplicate-late:event=CONFIRMED'] },
}
