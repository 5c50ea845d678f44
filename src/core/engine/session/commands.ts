/** Commands of the session as a whole. */
import { z } from 'zod'
import { type CommandIn, commandRow } from '../command-row.ts'
import { type SettingChange, settingChangesText } from './setting-change.ts'

export const sessionCommands = {
  /** Opens the session: the counterparts start their behaviour. */
  'session.open': commandRow({ shape: () => ({}), text: () => 'the session opens' }),
  /** Changes settings of the running session; checked before it is submitted. */
  'session.configure': commandRow({
    shape: () => {
      const change: z.ZodType<SettingChange> = z.strictObject({
        path: z.array(z.string()),
        value: z.exactOptional(z.unknown()),
      })
      return { changes: z.array(change) }
    },
    text: ({ changes }) => settingChangesText(changes),
  }),
  /** The process of the user's service is a new one from now on: it has no memory of calls before. */
  'session.renew-subject': commandRow({
    shape: () => ({}),
    text: () => 'your service starts again',
  }),
}

export type SessionCommand = CommandIn<typeof sessionCommands>
