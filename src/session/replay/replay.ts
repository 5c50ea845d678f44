/**
 * A recording played again: what others sent to a service is sent to it once more, in fresh names and today's times, and
 * what it answers is held against what it answered then. It constructs and connects; it decides nothing.
 */
import { createEnding } from '../../edge/playback/playback-end.ts'
import { createPlayer, type Player } from '../../edge/playback/player.ts'
import { sourceOf } from '../../edge/playback/source.ts'
import { createStandIn, type StandIn } from '../../edge/playback/recorded-partner.ts'
import type { Stage } from '../../edge/world-runtime.ts'
import { playbackReactor } from '../../engine/playback/react.ts'
import type { Answering } from '../../edge/server/responder.ts'
import { createBinding } from '../../traffic/correlation/bind.ts'
import type { Binding } from '../../traffic/correlation/binding.ts'
import { correlate } from '../../traffic/correlation/learn.ts'
import { compareExchanges, createGrowth } from '../../traffic/difference/compare-exchanges.ts'
import { createGathering } from '../../traffic/replay/gather.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { Replayed, ReplayReport } from '../../traffic/replay/status.ts'
import { type PlaybackOptions, readInput } from './options.ts'
import { prepareSession, type Session } from '../session.ts'

export interface Playback extends AsyncDisposable {
  /** The session that it plays in: its agenda is what is still to come of the recording. */
  readonly session: Session
  /** Plays all of it, or what is left of it; answers what came of it. */
  readonly run: () => Promise<ReplayReport>
  /** Breaks it off: `run` answers with what there is by then. */
  readonly stop: () => void
  /** Whether an exchange of the recording is sent when its turn comes. */
  readonly wanted: (recorded: RecordedExchange) => boolean
  /** The names of now behind those of the recording. */
  readonly binding: Binding
  /** Its instant, in milliseconds since 1970. */
  readonly now: () => number
  readonly close: () => Promise<void>
}

export interface PlaybackPorts {
  readonly onReplayed?: (replayed: Replayed, place: number) => void
  /** The world that it is played in. */
  readonly onRaised?: (stage: Stage) => void
  /** Whoever answers in place of the counterparts what the service asks meanwhile. */
  readonly answering?: Answering
  /** Something that whoever started it should know. */
  readonly onWarning?: (text: string) => void
}

/** So many calls in a row that reach nobody, before any has reached anybody: nobody is there. */
const mostInVain = 3

/** Resolves when the session listens; nothing is sent before `run`. */
export async function openPlayback(
  options: PlaybackOptions,
  ports: PlaybackPorts = {},
): Promise<Playback> {
  const input = readInput(options)
  const { content, role, seed } = input
  const ours = (party: { readonly role: string }): boolean => party.role !== role
  const correlation = correlate(content.exchanges, { ours, shared: input.shared })
  const binding = createBinding({
    correlation,
    exchanges: content.exchanges,
    seed,
    shared: input.shared,
    sameIds: input.sameIds,
  })
  // A name that the recording has from our side alone is none that the service could give anew: it stays.
  for (const { kind, value, origin, born } of correlation.identifiers)
    if (origin === 'theirs' && born.side === 'request' && input.sentIds.has(born.recordId))
      binding.bind(kind, value, value, born)
  const gathering = createGathering()
  const growth = createGrowth()
  let player: Player | undefined
  let interrupted = false
  let reached = false
  let inVain = 0
  const { answers } = input
  const { waits = true } = answers ?? {}
  let now = (): number => 0
  let world: Stage | undefined
  const told = new Set<string>()

  function onReplayed(replayed: Replayed, place: number): void {
    gathering.add(replayed, place)
    if (standIn && replayed.recorded) told.add(replayed.recorded.recordId)
    ports.onReplayed?.(replayed, place)
    if (replayed.live?.reply) reached = true
    else if (replayed.standing === 'error' && ++inVain >= mostInVain && !reached) player?.stop()
  }

  function raised(stage: Stage): void {
    // In another world nothing goes on of what began in this one.
    if (player) return stop()
    world = stage
    standIn?.enter(stage)
    now = stage.engine.now
    ports.onRaised?.(stage)
    player = createPlayer({
      stage,
      source: sourceOf(content),
      binding,
      compare: (recorded, renamed) => compareExchanges(recorded, renamed, input.rules, growth),
      was: input.was,
      run: input.run,
      pace: input.pace,
      wanted: input.wanted,
      ...(standIn && waits && options.to !== undefined
        ? { awaits: standIn.awaits, made: standIn.made, onSending: standIn.onSending }
        : {}),
      times: input.times,
      onReplayed,
    })
  }

  function stop(): void {
    // Whoever is served is served until then.
    interrupted = !serves
    ending?.stop()
    player?.stop()
  }

  const { serves } = options
  const standIn: StandIn | undefined =
    answers &&
    createStandIn({
      ...answers,
      content,
      binding,
      correlation,
      role,
      rules: input.rules,
      pace: input.pace,
      wanted: input.wanted,
      base: (host) => session.urls.get(host) ?? '',
      onReplayed,
      onIdle: () => gathering.answered('repeat'),
      onProgress: () => ending?.check(),
    })
  const ending =
    answers &&
    standIn &&
    (waits || serves) &&
    createEnding({ standIn, patienceMs: answers.patienceMs, serves })
  const answering = ports.answering ?? standIn?.answering

  const session = await prepareSession(input.session, undefined, {
    reactors: [playbackReactor],
    raised,
    ...(answering ? { answering } : {}),
  })
  if (standIn) session.onExchange((exchange) => standIn.heard(exchange))
  const { signal } = options

  /** What nobody asked for differs, where somebody could have. */
  function tellUnused(): void {
    if (!standIn || !answers || interrupted || !ending) return
    if (serves ? answers.requireAll : options.only === undefined && standIn.calls() > 0)
      standIn.tellUnused((recordId) => told.has(recordId))
    else if (!serves && standIn.calls() === 0 && standIn.left() > 0)
      ports.onWarning?.(
        `your service called nobody: ${standIn.left()} calls that it made when this was recorded are left out; tell it where we listen, or say --no-answers`,
      )
  }

  const report = (): ReplayReport => {
    tellUnused()
    const timing = input.timed ? player?.timing() : undefined
    return gathering.report({
      recording: content.file,
      driver: serves ? 'server' : 'client',
      seed,
      unused: standIn?.unused() ?? [],
      conflicts: binding.conflicts(),
      map: binding.map(),
      broken: [],
      ...(timing ? { timing } : {}),
      ...(interrupted ? { interrupted } : {}),
    })
  }

  const playback: Playback = {
    session,
    binding,
    wanted: input.wanted,
    stop,
    now: () => now(),
    async run() {
      signal?.addEventListener('abort', stop, { once: true })
      try {
        await Promise.all([session.begin(), session.loadFaults()])
        if (signal?.aborted) stop()
        else player?.start()
        if (ending && player && world) await ending.of(player, world)
        else await player?.ended
      } finally {
        signal?.removeEventListener('abort', stop)
      }
      return report()
    },
    close: session.close,
    [Symbol.asyncDispose]: session.close,
  }
  return playback
}
