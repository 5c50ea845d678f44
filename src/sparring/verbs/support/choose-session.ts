/** Chooses the session that a verb talks to: the one that the flags name, else the one that runs. */
import { compact } from '../../../core/base/compact.ts'
import { controlAnswers } from '../../../core/runtime/registry/session-answers.ts'
import type { SessionEntry } from '../../../core/runtime/registry/session-entry.ts'
import { readSessionRegistry } from '../../../core/runtime/registry/session-registry.ts'
import { sessionLine } from '../../../core/runtime/registry/session-text.ts'
import { problem } from '../../../core/base/problem.ts'

export const defaultControlUrl = 'http://127.0.0.1:7100'

export interface ChosenSession {
  readonly url: string
  readonly token?: string
}

export interface SessionChoice {
  readonly control?: string
  readonly token?: string
}

const normal = (url: string): string => URL.parse(url)?.href.replace(/\/$/, '') ?? url

/** Refuses what is no URL: nothing could answer there. */
function checkedUrl(control: string): string {
  const { protocol } = URL.parse(control) ?? {}
  if (protocol === 'http:' || protocol === 'https:') return control
  throw problem(
    `talking to the session at ${control}`,
    'that is no http or https URL',
    `Write it as sparring up printed it, such as ${defaultControlUrl}.`,
  )
}

const runningSessions = () =>
  readSessionRegistry().sessions.filter(
    (each): each is typeof each & { readonly control: string } => each.control !== undefined,
  )

/** The token of the session of this user that runs there. */
export const registeredToken = (url: string): string | undefined =>
  runningSessions().find((each) => normal(each.control) === normal(url))?.token

/** Without a `control` the default one, and the only session that runs where no session answers there. */
export async function chooseSession({ control, token }: SessionChoice): Promise<ChosenSession> {
  const running = runningSessions()
  const wanted = checkedUrl(control ?? defaultControlUrl)
  const known = running.find((each) => normal(each.control) === normal(wanted))
  const named = { url: wanted, ...compact({ token: token ?? known?.token }) }
  const [only, ...others] = running
  if (control !== undefined || known || only === undefined || (await controlAnswers(wanted)))
    return named
  if (others.length === 0) return { url: only.control, ...compact({ token: token ?? only.token }) }
  throw severalSessions(running, 'Name one with --control <url> or SPARRING_CONTROL.')
}

/** The problem of a verb that is meant for one session, while several run. */
export const severalSessions = (sessions: readonly SessionEntry[], remedy: string) =>
  problem(
    'choosing a session',
    `${sessions.length} run on this machine`,
    [remedy, ...sessions.map(sessionLine)].join('\n  '),
  )
