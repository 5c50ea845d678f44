/** What a worker thread runs to play schedules against the reference Software Service. */
import { workerData } from 'node:worker_threads'
import { answerPlays } from '../../src/explore/session/session-workers.ts'
import { createReferenceRunner, type ReferenceRunnerOptions } from './reference-runner.ts'

answerPlays(createReferenceRunner(workerData as ReferenceRunnerOptions))
