CREATE TABLE teacher(teacher_id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, subject VARCHAR(40) NOT NULL, hired_on DATE NOT NULL);
CREATE TABLE student(student_id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, grade_level INTEGER NOT NULL, birthday DATE NOT NULL);
CREATE TABLE course(course_id INTEGER PRIMARY KEY, title VARCHAR(80) NOT NULL, teacher_id INTEGER NOT NULL REFERENCES teacher(teacher_id), credits INTEGER NOT NULL);
CREATE TABLE enrollment(student_id INTEGER NOT NULL REFERENCES student(student_id), course_id INTEGER NOT NULL REFERENCES course(course_id), score INTEGER, PRIMARY KEY (student_id, course_id));
INSERT INTO teacher VALUES (1,'Agnes Moreau','physics','2009-08-20'),(2,'Ivan Sokol','history','2015-01-12'),(3,'Hana Lim','music','2020-08-17');
INSERT INTO student VALUES (1,'Bruno Aalto',9,'2008-05-04'),(2,'Dina Marsh',10,'2007-11-23'),(3,'Kenji Mori',9,'2008-02-14'),(4,'Sara Novak',11,'2006-07-30');
INSERT INTO course VALUES (1,'Mechanics',1,4),(2,'Optics',1,3),(3,'Modern history',2,3),(4,'Choir',3,1);
INSERT INTO enrollment VALUES (1,1,71),(1,4,90),(2,1,84),(2,3,77),(3,2,65),(4,3,93),(4,4,NULL);
