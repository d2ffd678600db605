import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** `npm run pictures`: a picture of each screen and state, to be looked at before a release. */
export default defineConfig({
  ...journeys,
  outputDir: 'test-results/failed-pictures',
  testMatch: /\.pictures\.ts$/,
  timeout: 1_200_000,
  projects: (journeys.projects ?? []).filter(({ name }) => name === 'app'),
})
