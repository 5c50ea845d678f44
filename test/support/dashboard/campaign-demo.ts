/**
 * Runs a real campaign in this process and shows it on its terminal, for the pseudo-terminal tests: `--runs <n>` schedules against a
 * service with a defect. Its reproducers are played against the same service.
 */
import { createProcessIo } from '../../../src/sparring/verbs/support/process-io.ts'
import { playReproducer } from '../../../src/explore/cli/play-reproducer.ts'
import { showCampaign } from '../../../src/explore/screen/show-campaign.ts'
import { appearanceOf } from '../../../src/terminal/dashboard/view/appearance.ts'
import { suspendToShell } from '../../../src/core/runtime/line-prompt.ts'
import { openTerminal } from '../../../src/core/runtime/terminal.ts'
import { CampaignState } from '../../../src/explore/campaign/campaign-state.ts'
import { loadClauses } from '../../../src/core/protocol/clause.ts'
import { exploreReference } from '../explore-reference.ts'
import {
  exploredAsks,
  keptDetailsOf,
  keptScenarioOf,
  openWithService,
} from '../opened-reproducer.ts'
import { twoWorkloads } from '../written-workloads.ts'

const options = process.argv.slice(2)
const maxRuns = Number(options[options.indexOf('--runs') + 1])
const defects = ['never-reconciles'] as const

const clauses = await loadClauses()
const stopping = new AbortController()
const interruption = new AbortController()
const screen = showCampaign({
  heading: {
    subject: 'software-service',
    channels: ['polling', 'webhook'],
    seed: 21,
    budget: { maxRuns },
    details: (bucket) => keptDetailsOf(bucket, clauses),
  },
  appearance: appearanceOf(process.env),
  openTerminal: () => openTerminal({ onSignal: () => interruption.abort() }),
  onStop: () => stopping.abort(),
  onPlay: (bucket, lend) =>
    lend(() =>
      playReproducer(
        {
          scenario: keptScenarioOf(bucket),
          seed: 7,
          open: (request) => openWithService(request, defects),
          asks: exploredAsks,
          output: {},
          signal: interruption.signal,
        },
        createProcessIo(),
      ),
    ),
  suspend: suspendToShell,
  signal: interruption.signal,
})

const state = new CampaignState()
const began = performance.now()
const explored = exploreReference({
  defects: [...defects],
  maxRuns,
  width: 16,
  seed: 21,
  workloads: twoWorkloads,
  signal: AbortSignal.any([stopping.signal, interruption.signal]),
  onRecord(record) {
    state.apply(record)
    screen.onProgress({
      record,
      state,
      tookMs: performance.now() - began,
      width: 16,
      activity: { sessions: 0, exchanges: 0 },
    })
  },
})
const reason = await screen.closed
await screen.close()
stopping.abort()
await explored
process.stdout.write(`closed: ${reason}, ${state.ended()?.reason}, ${state.buckets.size} buckets\n`)
process.stdin.pause()
