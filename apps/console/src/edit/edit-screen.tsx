import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DraftState, useDraft, WithDraft } from '../components/draft.tsx';
import { Failure, Page, ScreenState, StepTitle } from '../components/page.tsx';
import { PersonMissing } from '../components/person-missing.tsx';
import type { ApiRequest } from '../components/request-texts.ts';
import { BffError, useScreen } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { rejectedFields } from './check-fields.ts';
import { inputOf, isChanged, sentFields } from './comparison.ts';
import { Conflict } from './conflict.tsx';
import { EditForm } from './edit-form.tsx';
import { messages } from './messages.ts';
import { Review } from './review.tsx';
import type { EditKind, EditScreen as Data } from './stored-value.ts';
import { editPath, useSave, type EditDraft } from './use-save.tsx';

export function EditAddressScreen(): ReactNode {
  return <EditScreen kind="address" />;
}

export function EditBankDetailsScreen(): ReactNode {
  return <EditScreen kind="bankDetails" />;
}

/** A form, the review of its input, and what follows a save that failed. */
function EditScreen({ kind }: { readonly kind: EditKind }): ReactNode {
  const { personId = '' } = useParams({ strict: false });
  const text = useMessages(messages);
  const query = useScreen<Data>(editPath(kind, personId), {}, { kinds: ['persons'] });
  const name = `${kind}/${personId}`;
  const { content } = useDraft<EditDraft>(name);
  const outline = <Skeleton h={360} maw={640} />;
  if (query.error?.problem.code === 'not-found') {
    return (
      <Page title={text.title[kind]}>
        <PersonMissing id={personId} />
      </Page>
    );
  }
  return (
    <Page
      title={text.title[kind]}
      description={
        <Anchor renderRoot={(props) => <Link {...props} to="/people/$personId" params={{ personId }} />}>
          {query.data?.name ?? text.done}
        </Anchor>
      }
      request={requestOf(kind, personId, content)}
    >
      <ScreenState query={query} skeleton={outline}>
        {(screen) => (
          <WithDraft name={name} skeleton={outline}>
            <Steps key={name} name={name} kind={kind} personId={personId} screen={screen} />
          </WithDraft>
        )}
      </ScreenState>
    </Page>
  );
}

interface StepsProps {
  readonly name: string;
  readonly kind: EditKind;
  readonly personId: string;
  readonly screen: Data;
}

function Steps({ name, kind, personId, screen: { stored, limits } }: StepsProps): ReactNode {
  const text = useMessages(messages);
  const form = useDraft<EditDraft>(name);
  const save = useSave(kind, personId, form);
  const isSaving = useIsMutating({ mutationKey: [kind, personId] }) > 0;
  // Before the first input, the form shows what is stored now.
  const draft: EditDraft = form.content ?? { start: stored, input: inputOf(stored), step: 'form' };
  const { step, start, input, problem } = draft;
  const hints: Readonly<Record<string, string>> = text.hintsOfProblems;
  const change = (changes: Partial<EditDraft>): void => {
    const next = { ...draft, ...changes };
    form.change(next, next.problem !== undefined || isChanged(kind, next.start, next.input));
  };

  return (
    <Stack gap="md" maw={step === 'form' ? 640 : 900}>
      <div>
        <StepTitle key={step}>{text.steps[step][kind]}</StepTitle>
        <div aria-live="polite">
          {(step === 'form' || step === 'review') && !isSaving && start.version !== stored.version && (
            <Group className="panel" p="sm" mt="sm" justify="space-between">
              <Text>{text.form.newer}</Text>
              <Button variant="default" size="xs" onClick={() => change({ step: 'conflict' })}>
                {text.form.compare}
              </Button>
            </Group>
          )}
        </div>
      </div>
      {problem && (step === 'form' || step === 'review') && (
        <Failure
          error={new BffError({ ...problem, errors: rejectedFields(kind, input, problem).other })}
          hint={isChanged(kind, stored, input) ? (hints[problem.code] ?? text.keepsInput) : text.isStored}
        />
      )}
      {step === 'form' && <EditForm kind={kind} limits={limits} draft={draft} change={change} />}
      {step === 'review' && (
        <Review
          kind={kind}
          draft={draft}
          stored={isSaving ? start : stored}
          isSaving={isSaving}
          onSave={() => save.mutate(draft)}
          onBack={() => change({ step: 'form' })}
        />
      )}
      {step === 'conflict' && (
        <Conflict
          key={stored.version}
          kind={kind}
          draft={draft}
          theirs={stored}
          onMerge={(next) => {
            // A value that is equal to the new base is no draft any more.
            const isSame = !isChanged(kind, stored, next);
            change({ start: stored, input: next, step: isSame ? 'form' : 'review', problem: undefined });
          }}
        />
      )}
      <DraftState name={name} />
    </Stack>
  );
}

/** The call of the API that the save makes. The backend alone knows an IBAN that is kept. */
function requestOf(kind: EditKind, personId: string, draft: EditDraft | undefined): ApiRequest {
  const request: ApiRequest = { operation: 'updatePerson', path: { id: personId } };
  if (draft === undefined || draft.input.keepsIban) return request;
  const fields = sentFields(kind, draft.input);
  const addresses = Object.keys(fields).length > 0 ? [fields] : [];
  return { ...request, body: kind === 'address' ? { addresses } : { bankDetails: fields } };
}
