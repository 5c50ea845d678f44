/** What a worker thread runs: it loads the module of the service, and plays the schedules that it is sent. */
import { workerData } from 'node:worker_threads'
import { createInProcessRunner, loadService, type SessionSettings } from './in-process-runner.ts'
import { answerPlays } from './session-workers.ts'

export interface ExploreWorkerData {
  readonly settings: SessionSettings
  /** The file of the service. */
  readonly file: string
}

const { settings, file } = workerData as ExploreWorkerData
const service = await loadService(file)
answerPlays(createInProcessRunner(settings, service, new AbortController().signal))
