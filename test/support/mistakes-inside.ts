/**
 * The mistakes of issue reports about what a service does twice inside, or forgets when it dies: each as a defect of the demo, with the
 * story that provokes it and the rule that catches it. docs/survive.md has them as a table; mistakes-inside.test.ts plays each.
 */
import type { DefectName } from '../../src/demo/defects.ts'

export interface MistakeInside {
  readonly mistake: string
  readonly defect: DefectName
  /** A file of scenarios/, without its ending. */
  readonly story: string
  readonly breaks: string
  /** Where it shows; both where it says nothing. */
  readonly channels?: readonly ('polling' | 'webhook' | 'both')[]
}

export const mistakesInside: readonly MistakeInside[] = [
  {
    mistake: 'the same event at the same instant makes two tickets: a check-then-act race',
    defect: 'checks-then-acts',
    story: 'one-ticket-for-each-order',
    breaks: 'EF-1',
  },
  {
    mistake: 'redelivery after 5xx makes a second row',
    defect: 'prints-before-it-fails',
    story: 'one-ticket-for-each-order',
    breaks: 'EF-1',
  },
  {
    mistake: 'remembered before it is handled: the retry after 5xx is skipped',
    defect: 'dedupes-before-handling',
    story: 'one-ticket-for-each-order',
    breaks: 'EF-2',
  },
  {
    mistake: 'no memory of events',
    defect: 'forgets-event-ids',
    story: 'an-event-comes-twice',
    breaks: 'EF-1',
  },
  {
    mistake: 'a memory of events for each channel',
    defect: 'dedupes-per-channel',
    story: 'by-both-channels',
    breaks: 'EF-1',
    channels: ['both'],
  },
  {
    mistake: 'the work waits for an event that is lost',
    defect: 'prints-by-event-alone',
    story: 'one-ticket-for-each-order',
    breaks: 'EF-2',
  },
  {
    mistake: 'done once more each time the order is read',
    defect: 'reconcile-reapplies',
    story: 'read-again-and-again',
    breaks: 'EF-1',
    channels: ['polling'],
  },
  {
    mistake: 'the effect comes before the order was read',
    defect: 'prints-unread',
    story: 'no-ticket-for-a-cancelled-order',
    breaks: 'EF-3',
  },
  {
    mistake: 'an order that was cancelled before its effect gets it all the same',
    defect: 'print-jobs-outlive-orders',
    story: 'no-ticket-for-a-cancelled-order',
    breaks: 'EF-3',
  },
  {
    mistake: 'acknowledged before it was stored, and killed',
    defect: 'stores-what-it-has-read',
    story: 'acknowledged-and-then-killed',
    breaks: 'CV-2',
  },
  {
    mistake: 'two writes with a crash between them',
    defect: 'writes-ids-first',
    story: 'killed-before-it-acknowledged',
    breaks: 'CV-2',
  },
  {
    mistake: 'claimed, and then killed: stuck for ever',
    defect: 'claims-for-ever',
    story: 'killed-between-reading-and-acting',
    breaks: 'CV-1',
  },
  {
    mistake: 'the job is never queued after a crash',
    defect: 'resumes-nothing',
    story: 'killed-while-confirming',
    breaks: 'CV-1',
  },
  {
    mistake: 'a redeploy loses what waits in memory',
    defect: 'print-jobs-in-memory',
    story: 'a-rolling-restart',
    breaks: 'EF-2',
  },
  {
    mistake: 'a memory of what was done that is lost at a restart',
    defect: 'dedupes-in-memory',
    story: 'a-rolling-restart',
    breaks: 'SE-1',
  },
  {
    mistake: 'another app of the store acknowledges first: what it took is never heard of',
    defect: 'never-reconciles',
    story: 'the-managers-phone',
    breaks: 'CV-1',
    channels: ['polling'],
  },
  {
    mistake: 'another app of the store acknowledges first: what comes later is thrown away',
    defect: 'drops-events-of-unknown-orders',
    story: 'the-managers-phone',
    breaks: 'CV-2',
    channels: ['polling'],
  },
]

/** Of two processes: a mistake of examples/node-sqlite, played with `--replicas 2`. */
export const mistakeOfTwo = {
  mistake: 'a memory of what was done that two processes do not share',
  name: 'remembers-in-memory',
  story: 'a-rolling-restart-of-two',
  breaks: 'EF-1',
} as const

const channelsOf = ({ channels = ['polling', 'webhook'] }: MistakeInside): string =>
  channels.map((each) => (each === 'both' ? 'both at once' : each)).join(', ')

const code = (text: string): string => `\`${text}\``

/** The table of docs/survive.md. */
export const mistakesTable = (): string =>
  [
    '| mistake | defect of the demo | provoked by | caught by | channel | without it |',
    '|---|---|---|---|---|---|',
    ...mistakesInside.map((each) => {
      const { mistake, defect, story, breaks } = each
      return `| ${mistake} | ${code(defect)} | ${code(story)} | ${breaks} | ${channelsOf(each)} | green |`
    }),
    `| ${mistakeOfTwo.mistake} | ${code(mistakeOfTwo.name)} of examples/node-sqlite | ${code(mistakeOfTwo.story)}, with ${code('--replicas 2')} | ${mistakeOfTwo.breaks} | webhook; polling, when the other one polls | green |`,
  ].join('\n')
