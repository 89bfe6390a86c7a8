#!/usr/bin/env node
import { hrContracts } from '#hr-contracts';

process.exitCode = await hrContracts(process.argv.slice(2), process.env);
