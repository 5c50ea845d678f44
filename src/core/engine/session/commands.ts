/** Commands of the session as a whole. */
import { z } from 'zod'
import { type CommandIn, commandRow } from '../command-row.ts'
import { type SettingChange, settingChangesText } from './setting-change.ts'

/** How a process is ended: at once, or so that it may end by itself. */
export const processSignals = ['KILL', 'TERM'] as const
export type ProcessSignal = (typeof processSignals)[number]

/** Why the process of a service cannot be ended and started again. */
export const startsNoSubject =
  'only who started your service can end it and start it again: say with --start <command> how it is started'

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
  /** Ends the process of the user's service, which we started; without `downMs` it is started again by another command. */
  'session.end-subject': commandRow({
    shape: () => ({ signal: z.enum(processSignals), downMs: z.exactOptional(z.int().min(0)) }),
    text: ({ signal }) => `your service is ended by SIG${signal}`,
  }),
  /** The process of the user's service is a new one from now on: it has no memory of calls before. */
  'session.renew-subject': commandRow({
    shape: () => ({}),
    text: () => 'your service starts again',
  }),
}

export type SessionCommand = CommandIn<typeof sessionCommands>
