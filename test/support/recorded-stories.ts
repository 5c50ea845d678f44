/**
 * The stories of recordings/: the commands that `npm run recordings` runs and recordings/README.md prints. The seed is
 * fixed, and with it the order ids: the first is 7b2897cf, the second 1d7511ab.
 */
import type { RedriveHarnessOptions } from './redrive-harness.ts'

/** One action of a story, in order. */
export type StoryAction =
  /** A program that runs until the end of the story. */
  | { readonly start: string }
  | { readonly type: string }
  /** Waits until the order has this status in the session. */
  | { readonly order: string; readonly until: string }
  | { readonly pause: number }

/** The expected result of a replay with the driver `partner`. */
export interface ExpectedReplay {
  readonly exit: 0 | 1
  /** The first differing exchange: how it was matched, and what it is. */
  readonly first?: readonly [standing: string, operation: string]
  readonly failedRules: readonly string[]
}

/** Start options of the service that a recording is replayed against. */
type Service = Pick<RedriveHarnessOptions, 'channel' | 'defects' | 'thinkMs'>

export interface RecordedStory {
  readonly name: string
  readonly tells: string
  readonly actions: readonly StoryAction[]
  /** The service of the recording. */
  readonly recorded: { readonly service: Service; readonly outcome: ExpectedReplay }
  /** A service with one defect more or less than the recorded one. */
  readonly other: { readonly service: Service; readonly outcome: ExpectedReplay }
}

/**
 * The redaction key of these recordings. It may be public: all people in them are generated from the seed. The same
 * person always gets the same placeholder.
 */
export const demonstrationKey = '5eed'.repeat(16)

const first = '7b2897cf'
const second = '1d7511ab'
const same: ExpectedReplay = { exit: 0, failedRules: [] }

const service = (rest = ''): StoryAction => ({
  start: `sparring demo --service --ordering-application-url http://127.0.0.1:7101${rest}`,
})
const up = (rest: string): StoryAction => ({
  start: `sparring up ordering-application --as software-service --seed 42${rest}`,
})
const recordedTo = (name: string): string => ` --record recordings/${name}.rec.ndjson`
const create = (type: string): StoryAction => ({
  type: `sparring orders create --type ${type} --items 2`,
})
const delivered: readonly StoryAction[] = [
  { order: first, until: 'DELIVERED' },
  { order: second, until: 'DELIVERED' },
  { pause: 1500 },
]

export const recordedStories: readonly RecordedStory[] = [
  {
    name: 'happy-path',
    tells:
      'A DELIVERY and a TAKEOUT order by polling, through the recording proxy; nothing goes wrong.',
    actions: [
      up(''),
      {
        start:
          'sparring record --to http://127.0.0.1:7101 --as software-service --port 7200 --rewrite-manifest -o recordings/happy-path.rec.ndjson',
      },
      {
        start: 'sparring demo --service --ordering-application-url http://127.0.0.1:7201',
      },
      create('DELIVERY'),
      create('TAKEOUT'),
      ...delivered,
    ],
    recorded: { service: {}, outcome: same },
    other: {
      service: { defects: ['never-acks'] },
      outcome: { exit: 1, first: ['missing', 'acknowledgeEvents'], failedRules: ['AK-1', 'AK-5'] },
    },
  },
  {
    name: 'lost-cancelled',
    tells:
      'The consumer cancels, CANCELLED is never handed over: the next call is refused, and the service finds out by reading.',
    actions: [
      up(` --fault drop:event=CANCELLED${recordedTo('lost-cancelled')}`),
      service(' --think 8000'),
      create('TAKEOUT'),
      create('TAKEOUT'),
      { order: first, until: 'PREPARING' },
      // Long enough to receive the event, shorter than the preparation.
      { pause: 1500 },
      { type: `sparring orders cancel ${first}` },
      { order: second, until: 'DELIVERED' },
      { pause: 3000 },
    ],
    recorded: { service: { thinkMs: 8000 }, outcome: same },
    other: {
      service: { thinkMs: 8000, defects: ['cancels-on-conflict'] },
      outcome: { exit: 1, first: ['extra', 'requestCancellation'], failedRules: ['SE-5'] },
    },
  },
  {
    name: 'duplicate-created',
    tells:
      'CREATED comes once more by webhook, behind two later events. The service moves an order on by one step for each event, and hands over what was never ready.',
    actions: [
      up(
        ` --subject http://127.0.0.1:3000 --channel webhook --fault duplicate-late:event=CREATED,order=o2,when=later-events,k=2${recordedTo('duplicate-created')}`,
      ),
      service(
        ' --service-port 3000 --channel webhook --defect forgets-event-ids --defect counts-events',
      ),
      { pause: 2000 },
      create('DELIVERY'),
      create('TAKEOUT'),
      { order: first, until: 'DELIVERED' },
      { pause: 20_000 },
    ],
    recorded: {
      service: { channel: 'webhook', defects: ['forgets-event-ids', 'counts-events'] },
      outcome: { exit: 1, failedRules: ['SE-6', 'CV-1', 'CV-6'] },
    },
    other: {
      service: { channel: 'webhook' },
      outcome: { exit: 1, first: ['extra', 'receiveOrderEvent'], failedRules: [] },
    },
  },
  {
    name: 'out-of-order',
    tells:
      'CONFIRMED comes behind a later event, and what was asked third is answered three seconds late: older news come last.',
    actions: [
      up(
        ` --fault reorder:event=CONFIRMED --fault slow-response:operation=getOrder,nth=3,by=3s${recordedTo('out-of-order')}`,
      ),
      service(),
      create('TAKEOUT'),
      create('TAKEOUT'),
      ...delivered,
    ],
    recorded: { service: {}, outcome: same },
    other: {
      service: { defects: ['counts-events'] },
      outcome: {
        exit: 1,
        first: ['missing', 'setOrderReadyForPickup'],
        failedRules: ['SE-6', 'CV-1', 'CV-6'],
      },
    },
  },
]

/** The commands of a story as typed; background ones end with `&`. */
export const commandsOf = ({ actions: operatorActions }: RecordedStory): readonly string[] =>
  operatorActions.flatMap((action) => {
    if ('start' in action) return [`${action.start} &`]
    return 'type' in action ? [action.type] : []
  })
