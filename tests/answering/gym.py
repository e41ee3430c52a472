"""A small world of its own: the members of a gym, in other words than those of the packs that ship."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.answering.places import dragoman

TABLES: Final = """
CREATE TABLE plan(code TEXT PRIMARY KEY, title TEXT NOT NULL, title_ru TEXT NOT NULL, title_ko TEXT NOT NULL);
CREATE TABLE trainer(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE member(id TEXT PRIMARY KEY, name TEXT NOT NULL, plan TEXT NOT NULL, trainer INTEGER,
  state TEXT NOT NULL, joined DATE, visits INTEGER NOT NULL, vip BOOLEAN);
CREATE TABLE locker(id TEXT PRIMARY KEY, label TEXT NOT NULL, member TEXT);
INSERT INTO plan VALUES ('DAY', 'Day pass', 'Дневной', '일일권'), ('FULL', 'Full access', 'Полный', '종일권');
INSERT INTO trainer VALUES (1, 'Ida Strand'), (2, 'Omar Vance'), (3, 'Ида Соколова');
INSERT INTO member VALUES
  ('m1', 'Lena Hart', 'FULL', 1, 'running', '2023-02-01', 40, 1),
  ('m2', 'Marco Pell', 'DAY', NULL, 'running', '2023-05-11', 12, 0),
  ('m3', 'Nils Hart', 'DAY', 2, 'frozen', '2022-09-30', 3, 0),
  ('m4', 'Oleg Berg', 'FULL', NULL, 'trial', '2024-01-15', 7, 0);
INSERT INTO locker VALUES ('l1', 'North 12', 'm1'), ('l2', 'North 13', NULL);
"""

PACK: Final = """
pack: gym
title: {en: Gym, ru: Зал, ko: 체육관}
dialect: sqlite
entities:
  member:
    table: member
    key: id
    key_type: code
    display: name
    card: member.show
    create: member.enroll
    title: {en: member, ru: участник, ko: 회원}
    words: {en: [member, members], ru: [участник, участники], ko: [회원]}
  trainer:
    table: trainer
    key: id
    display: name
    card: trainer.show
    create: trainer.hire
    title: {en: trainer, ru: тренер, ko: 트레이너}
    words: {en: [trainer, trainers, coach], ru: [тренер, тренеры], ko: [트레이너]}
  plan:
    table: plan
    key: code
    key_type: code
    display: title
    names: [title_ru, title_ko]
    codes: [code]
    title: {en: plan, ru: тариф, ko: 요금제}
    words: {en: [plan, plans], ru: [тариф], ko: [요금제]}
  locker:
    table: locker
    key: id
    key_type: code
    display: label
    card: locker.show
    title: {en: locker, ru: шкафчик, ko: 사물함}
    words: {en: [locker, lockers], ru: [шкафчик], ko: [사물함]}
verbs:
  member.list:
    title: {en: Members, ru: Участники, ko: 회원 목록}
    arguments:
      plan: {entity: plan, required: false}
      state: {options: [trial, running, frozen], required: false, title: {en: state, ru: состояние, ko: 상태}}
    columns:
      - {name: member, entity: member}
      - {name: state}
    words: {en: [list members, show members, which members], ru: [список участников], ko: [회원 목록]}
    sql: |
      SELECT m.name AS member, m.state AS state FROM member AS m
      WHERE (:plan IS NULL OR m.plan = :plan) AND (:state IS NULL OR m.state = :state) ORDER BY m.name
  member.busiest:
    title: {en: Busiest members, ru: Самые частые участники, ko: 최다 방문 회원}
    arguments:
      count: {kind: integer, title: {en: how many, ru: сколько, ko: 개수}}
      vip: {kind: boolean, required: false, title: {en: vip, ru: vip, ko: vip}}
    columns:
      - {name: member, entity: member}
      - {name: visits, type: integer}
    words: {en: [busiest members], ru: [самые частые участники], ko: [최다 방문 회원]}
    sql: |
      SELECT m.name AS member, m.visits AS visits FROM member AS m
      WHERE (:vip IS NULL OR m.vip = :vip) ORDER BY m.visits DESC, m.name LIMIT :count
  member.show:
    title: {en: Member, ru: Участник, ko: 회원}
    frame: object
    object: member
    arguments: {member: {entity: member}}
    columns:
      - {name: member, entity: member}
      - {name: state}
    words: {en: [open, show], ru: [открой, покажи], ko: [열어, 보여줘]}
    sql: SELECT m.name AS member, m.state AS state FROM member AS m WHERE m.id = :member
  trainer.show:
    title: {en: Trainer, ru: Тренер, ko: 트레이너}
    frame: object
    object: trainer
    arguments: {trainer: {entity: trainer}}
    columns: [{name: trainer, entity: trainer}]
    words: {en: [open, show], ru: [открой, покажи], ko: [열어, 보여줘]}
    sql: SELECT t.name AS trainer FROM trainer AS t WHERE t.id = :trainer
  locker.show:
    title: {en: Locker, ru: Шкафчик, ko: 사물함}
    frame: object
    object: locker
    arguments: {locker: {entity: locker}}
    columns: [{name: locker, entity: locker}]
    words: {en: [open, show], ru: [открой, покажи], ko: [열어, 보여줘]}
    sql: SELECT l.label AS locker FROM locker AS l WHERE l.id = :locker
  member.enroll:
    title: {en: Enroll a member, ru: Записать участника, ko: 회원 등록}
    frame: none
    effect: write
    writes: [member]
    arguments:
      key: {kind: new-key}
      name: {title: {en: name, ru: имя, ko: 이름}}
      plan: {entity: plan}
      joined: {kind: date, title: {en: joined, ru: дата вступления, ko: 가입일}}
      trainer: {entity: trainer, required: false}
      vip: {kind: boolean, required: false, title: {en: vip, ru: vip, ko: vip}}
    words:
      en: [enroll a member, sign up a member, new member]
      ru: [запиши участника, новый участник]
      ko: [회원 등록, 새 회원]
    sql: |
      INSERT INTO member (id, name, plan, trainer, state, joined, visits, vip)
      VALUES (:key, :name, :plan, :trainer, 'trial', :joined, 0, :vip)
  member.freeze:
    title: {en: Freeze the membership, ru: Заморозить участие, ko: 회원권 정지}
    frame: object
    object: member
    effect: write
    writes: [member]
    arguments: {member: {entity: member}}
    words: {en: [freeze, put on hold], ru: [заморозь], ko: [정지]}
    sql: UPDATE member SET state = 'frozen' WHERE id = :member
  member.set-state:
    title: {en: Set the state, ru: Задать состояние, ko: 상태 변경}
    frame: object
    object: member
    effect: write
    writes: [member]
    arguments:
      member: {entity: member}
      state: {options: [trial, running, frozen], title: {en: state, ru: состояние, ko: 상태}}
    words: {en: [set the state], ru: [задай состояние], ko: [상태 변경]}
    sql: UPDATE member SET state = :state WHERE id = :member
  member.coach:
    title: {en: Give a member a trainer, ru: Назначить тренера, ko: 트레이너 배정}
    frame: object
    object: member
    effect: write
    writes: [member]
    arguments:
      member: {entity: member}
      trainer: {entity: trainer}
    words: {en: [give a trainer, assign a trainer], ru: [назначь тренера], ko: [트레이너 배정]}
    sql: UPDATE member SET trainer = :trainer WHERE id = :member
  member.leave:
    title: {en: Remove a member, ru: Удалить участника, ko: 회원 탈퇴}
    frame: object
    object: member
    effect: write
    writes: [member]
    arguments: {member: {entity: member}}
    words: {en: [let go, strike off], ru: [отчисли], ko: [탈퇴]}
    sql: DELETE FROM member WHERE id = :member
  trainer.hire:
    title: {en: Hire a trainer, ru: Нанять тренера, ko: 트레이너 채용}
    frame: none
    effect: write
    writes: [trainer]
    arguments:
      number: {kind: integer, title: {en: number, ru: номер, ko: 번호}}
      name: {title: {en: name, ru: имя, ko: 이름}}
    words: {en: [hire a trainer], ru: [найми тренера], ko: [트레이너 채용]}
    sql: INSERT INTO trainer (id, name) VALUES (:number, :name)
  trainer.rename:
    title: {en: Rename the trainer, ru: Переименовать тренера, ko: 트레이너 이름 변경}
    frame: object
    object: trainer
    effect: write
    writes: [trainer]
    arguments:
      trainer: {entity: trainer}
      name: {title: {en: name, ru: имя, ko: 이름}}
    words: {en: [rename], ru: [переименуй], ko: [이름 변경]}
    sql: UPDATE trainer SET name = :name WHERE id = :trainer
  locker.rename:
    title: {en: Rename the locker, ru: Переименовать шкафчик, ko: 사물함 이름 변경}
    frame: object
    object: locker
    effect: write
    writes: [locker]
    arguments:
      locker: {entity: locker}
      label: {title: {en: label, ru: надпись, ko: 라벨}}
    words: {en: [rename], ru: [переименуй], ko: [이름 변경]}
    sql: UPDATE locker SET label = :label WHERE id = :locker
"""


def gym_workspace(folder: Path) -> Path:
    """A workspace over the gym's database, with its pack."""
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "gym.sqlite")) as connection, connection:
        connection.executescript(TABLES)
    dragoman("init", str(folder / "gym.sqlite"), "-w", str(folder))
    (folder / "packs").mkdir(exist_ok=True)
    (folder / "packs" / "gym.yaml").write_text(PACK, "utf-8")
    return folder
