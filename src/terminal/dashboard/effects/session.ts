/**
 * Actions on the session as a whole: clock, faults, verdicts, a call that is sent again, fork, saving a scenario. The clock is
 * queried at execution time, since a burst of keys is faster than the screen.
 */
import type { VerdictOutcome } from '../../../core/rules/invariants/verdict.ts'
import type {
  ClockMode,
  OperatorAction,
  SessionApi,
} from '../../../core/session-api/session-api.ts'
import type { Action, Message } from '../model/message.ts'
import { nothingToSave } from '../model/leaving.ts'
import type { DashboardPorts } from './ports.ts'
import { noticeMessage, refusalMessage } from './notice.ts'
import { compact } from '../../../core/base/compact.ts'
import { resentText } from '../../../core/traffic/resend.ts'

export async function addOrReplaceFault(
  session: SessionApi,
  { spec, replaces }: { readonly spec: string; readonly replaces?: number },
): Promise<readonly Message[]> {
  const added = await session.submit({ kind: 'fault.add', spec })
  if (!added.ok) {
    const problem = added.error.message
    const retryPrompt = { kind: 'fault', draft: spec, problem } as const
    const prompt = replaces === undefined ? retryPrompt : { ...retryPrompt, replaces }
    return [
      { kind: 'listed', overlay: { kind: 'fault-form', chosen: undefined, top: 0 } },
      { kind: 'prompted', prompt },
    ]
  }
  // The new fault is added before the old one is removed, so that a typing error loses nothing.
  const removed =
    replaces === undefined
      ? undefined
      : await session.submit({ kind: 'fault.remove', id: replaces })
  if (removed && !removed.ok) return [refusalMessage(removed.error)]
  const faults = added.value.flatMap((fact) => (fact.kind === 'fault.added' ? [fact.fault] : []))
  const [only] = faults
  return [
    noticeMessage(
      faults.length > 1
        ? `active: ${spec}, ${faults.length} faults`
        : `active: ${spec}${only?.idle === undefined ? '' : ` (${only.idle})`}`,
    ),
  ]
}

/** Chooses the nearest failed exchange before or after one. */
export async function chooseNextFailure(
  session: SessionApi,
  { from, filter, direction }: Extract<Action, { readonly kind: 'next-failure' }>,
): Promise<readonly Message[]> {
  const edge = direction > 0 ? { after: from ?? 0 } : from === undefined ? {} : { before: from }
  const { traffic } = await session.look({
    traffic: { limit: 1, filter: `failed ${filter}`, ...edge },
  })
  const [found] = traffic
  if (found) return [{ kind: 'exchange-chosen', seq: found.seq }]
  return [noticeMessage(`there is no failure ${direction > 0 ? 'after' : 'before'} this`, 'muted')]
}

export async function requestVerdicts(session: SessionApi): Promise<readonly Message[]> {
  const verdicts = await session.judge()
  const count = (wanted: VerdictOutcome): number =>
    verdicts.filter(({ outcome }) => outcome === wanted).length
  const failed = count('failed')
  const inconclusive = count('inconclusive')
  const doubts = inconclusive > 0 ? `${inconclusive} inconclusive, ` : ''
  const text = `${failed} failed, ${doubts}${count('open')} open, ${count('passed')} passed, ${count('not-exercised')} not exercised`
  return [noticeMessage(text, failed > 0 ? 'err' : 'ok')]
}

export async function forkAt(session: SessionApi, at: number): Promise<readonly Message[]> {
  const result = await session.fork(at)
  if (!result.ok) return [refusalMessage(result.error)]
  return [
    { kind: 'returned' },
    noticeMessage(
      `the session goes on from entry ${result.value.at}; what went over the wire is not undone. The clock is paused: space resumes it`,
      'warn',
    ),
  ]
}

/** What the scenario cannot repeat. */
function leftOutText(operatorActions: readonly OperatorAction[]): string {
  const count = operatorActions.filter(({ what }) => what.kind === 'resend').length
  return count === 0
    ? ''
    : `; no step repeats ${count === 1 ? 'the call' : `the ${count} calls`} sent again in place of your service`
}

export async function saveAsScenario(
  session: SessionApi,
  { name, overwrite, quits }: Extract<Action, { readonly kind: 'save' }>,
  { saveScenario }: DashboardPorts,
): Promise<readonly Message[]> {
  if (!saveScenario)
    return [noticeMessage('there is no place to write a scenario to here', 'muted')]
  const { operatorActions } = await session.look({ operatorActions: true })
  if (operatorActions.length === 0) return [noticeMessage(nothingToSave, 'muted')]
  const saved = await saveScenario({ name, overwrite })
  if (saved.ok)
    return [
      { kind: 'saved', quits },
      noticeMessage(`written: ${saved.value}${leftOutText(operatorActions)}`, 'ok'),
    ]
  if (saved.error.kind === 'problem') return [noticeMessage(saved.error.message, 'err')]
  const prompt = { kind: 'overwrite', name, file: saved.error.file, quits } as const
  return [{ kind: 'prompted', prompt }]
}

const minSpeed = 0.25
const maxSpeed = 64

/** Resumes the clock in its former mode, or stops it so that items are taken one by one. */
export async function toggleClock(
  session: SessionApi,
  resume: ClockMode,
): Promise<readonly Message[]> {
  const { clock } = (await session.look({})).info
  const isStopped = clock.mode === 'stepped'
  await session.setClock({ mode: isStopped ? resume : 'stepped' })
  return [
    noticeMessage(
      isStopped ? `the ${resume} clock runs` : 'clock paused: n takes one item at a time',
    ),
  ]
}

export async function changeSpeed(session: SessionApi, by: number): Promise<readonly Message[]> {
  const { clock } = (await session.look({})).info
  return setClock(session, {
    speed: Math.max(minSpeed, Math.min(maxSpeed, clock.speed * by)),
  })
}

/** Sets the mode of the clock, or its speed. */
export async function setClock(
  session: SessionApi,
  { mode, speed }: { readonly mode?: ClockMode; readonly speed?: number },
): Promise<readonly Message[]> {
  await session.setClock(compact({ mode, speed }))
  const texts = [
    ...(mode === undefined ? [] : [`the clock is ${mode} now`]),
    ...(speed === undefined
      ? []
      : [speed === 1 ? 'the clock runs as the wall’s' : `the clock runs at speed x${speed}`]),
  ]
  return [noticeMessage(texts.join(', '))]
}

export async function noteExchange(
  session: SessionApi,
  seq: number,
  text: string,
): Promise<readonly Message[]> {
  const noted = await session.note(seq, text)
  if (!noted.ok) return [refusalMessage(noted.error)]
  const isGone = noted.value.note === undefined
  return [noticeMessage(isGone ? `#${seq} has no note` : `noted at #${seq}`)]
}

export async function resendExchange(
  session: SessionApi,
  original: number,
): Promise<readonly Message[]> {
  const sent = await session.resend(original)
  if (!sent.ok) return [refusalMessage(sent.error)]
  const { seq, status } = sent.value
  const isFailed = status === undefined || status >= 400
  const notice = noticeMessage(resentText(sent.value), isFailed ? 'warn' : 'ok')
  return seq === undefined ? [notice] : [{ kind: 'resent', original, seq }, notice]
}
