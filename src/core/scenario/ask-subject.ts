/** Asks the subject itself for something, on a path of its own; session time passes while it answers. */
import type { ScenarioClock } from './scenario-clock.ts'
import { StepFailure } from './shared-shapes.ts'

/** An HTTP request to the subject's own API (the `ask` step). */
export interface SubjectRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: unknown
}

export interface SubjectAsking {
  readonly clock: ScenarioClock
  /** Returns the HTTP status; undefined where it cannot be asked. */
  readonly requestSubject: ((request: SubjectRequest) => Promise<number>) | undefined
}

/** The answers of a service that has no such operation. */
export const isUnknownCall = (status: number): boolean => [404, 405, 501].includes(status)

/** What says the path, where the step does not. */
interface PathSetting {
  /** `subject.asks.cancellation` */
  readonly name: string
  /** It is the default: a service need not serve it. */
  readonly mayBeMissing: boolean
}

/** Fails unless it answers with success in time. */
export async function askSubject(
  request: SubjectRequest,
  { clock, requestSubject }: SubjectAsking,
  withinMs: number,
  setting?: PathSetting,
): Promise<void> {
  const unserved = setting?.mayBeMissing ? 'unserved' : undefined
  if (!requestSubject)
    throw new StepFailure(
      'nothing says how it is asked: give its URL with --subject, or the option visit of playScenario',
      unserved,
    )
  let status: number | undefined
  let failure: string | undefined
  void requestSubject(request).then(
    (answered) => (status = answered),
    (error: unknown) => (failure = error instanceof Error ? error.message : String(error)),
  )
  await clock.waitUntil(() => status !== undefined || failure !== undefined, withinMs)
  if (failure !== undefined) throw new StepFailure(`it could not be asked: ${failure}`)
  if (status === undefined) throw new StepFailure('it did not answer in time')
  const remedy = setting === undefined ? '' : `; where it is asked is set by ${setting.name}`
  if (status >= 400)
    throw new StepFailure(
      `it answered ${status} to ${request.method} ${request.path}${remedy}`,
      isUnknownCall(status) ? unserved : undefined,
    )
}
