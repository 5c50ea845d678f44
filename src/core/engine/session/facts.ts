/** Facts of the session as a whole. */
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
  /** The process of the user's service is a new one: only rules look at it. */
  'session.subject-renewed': factRow<object>({ text: () => 'your service starts again' }),
}
