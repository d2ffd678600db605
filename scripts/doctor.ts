import './load-env-file.ts'
import { finish } from './account-database.ts'
import { examine } from './doctor-command.ts'

finish(await examine())
