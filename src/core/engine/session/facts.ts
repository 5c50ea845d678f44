/** Facts of the session as a whole. */
import type { ProcessSignal } from './commands.ts'
import { type Role, shortRoleName } from '../../protocol/role.ts'
import { factRow } from '../fact-row.ts'
import { applySettingChanges, type SettingChange, settingChangesText } from './setting-change.ts'

export const sessionFacts = {
  /** The session began. */
  'session.opened': factRow<{ roles: readonly Role[] }>({
    text: ({ roles }) =>
      `session opened: Sparring plays ${roles.map((role) => shortRoleName[role]).join(', ')}`,
  }),
  /** Settings were changed. */
  'session.configured': factRow<{ changes: readonly SettingChange[] }>({
    text: ({ changes }) => settingChangesText(changes),
    apply: ({ configured }, { changes }) => applySettingChanges(configured, changes),
  }),
  /** The process of the user's service, which we started, was ended. */
  'session.subject-ended': factRow<{ signal: ProcessSignal }>({
    text: ({ signal }) => `your service is ended by SIG${signal}`,
    apply({ faults }) {
      faults.isDown = true
    },
  }),
  /** The process of the user's service is a new one. */
  'session.subject-renewed': factRow<object>({
    text: () => 'your service starts again',
    apply({ faults }) {
      faults.isDown = false
    },
  }),
}
